import { getConnector } from '../connectors/index.ts';
import { ApiError } from '../domain/errors.ts';
import { visitorIsUnknown } from '../domain/order-recording/incoming.ts';
import type { SecureRandom } from '../domain/random.ts';
import type { StorePlatform } from '../domain/store/connection.ts';
import {
  connectStore,
  createStoreSecret,
  disconnectStore,
  getActiveConnection,
  setStoreSecret,
} from '../domain/store/manage-connections.ts';
import type { OperationHandler } from './context.ts';
import { connectionView, storeDeliveryView } from './views/store-connection.ts';
import { totals } from './views/user.ts';

export const get_store_connections: OperationHandler<'get_store_connections'> = async ({ query }, { storage, settings }) => {
  const { page, per_page: perPage } = query;
  const { items, total } = await storage.read(({ connections }) => connections.page({ page, perPage }));
  return { status: 200, body: items.map((connection) => connectionView(connection, settings)), headers: totals(total, perPage) };
};

/** Also of a disconnected one. */
export const get_store_connections_id_deliveries: OperationHandler<'get_store_connections_id_deliveries'> = async (
  { path, query },
  { storage, settings },
) => {
  const { page, per_page: perPage, unknown_visitor: isUnknownVisitor } = query;
  const { items, total } = await storage.read(async ({ connections }) => {
    if (!(await connections.byId(path.id))) throw new ApiError('svc_api_not_found');
    return connections.deliveries(path.id, { page, perPage }, isUnknownVisitor ? visitorIsUnknown : undefined);
  });
  const { timezone } = settings.store;
  return {
    status: 200,
    body: items.map((delivery) => ({ id: delivery.id, ...storeDeliveryView(delivery, timezone) })),
    headers: totals(total, perPage),
  };
};

export const post_store_connections: OperationHandler<'post_store_connections'> = async ({ body }, context) => {
  const { platform, name, secret: given } = body;
  const { storage, settings, now, random } = context;
  if (settings.service.url === '')
    throw new ApiError('svc_api_conflict', {
      message: 'The shop needs the public address of this service. Set service.url in the settings first.',
    });
  const made = given === undefined ? makeSecret(platform, random) : null;
  const creation = { now, random, secrets: context.secretsFor('store_secret') };
  const connection = await storage.write((transaction) => connectStore(transaction, { platform, name, secret: given ?? made }, creation));
  return { status: 201, body: { ...connectionView(connection, settings), secret: made } };
};

export const put_store_connections_id_secret: OperationHandler<'put_store_connections_id_secret'> = async ({ path, body }, context) => {
  const { storage, settings, random } = context;
  const secrets = context.secretsFor('store_secret');
  const { connection, made } = await storage.write(async (transaction) => {
    const active = await getActiveConnection(transaction, path.id);
    const made = body.secret === undefined ? makeSecret(active.platform, random) : null;
    const secret = body.secret ?? made;
    if (secret === null) throw missingSecret(active.platform);
    return { connection: await setStoreSecret(transaction, active, secret, secrets), made };
  });
  return { status: 200, body: { ...connectionView(connection, settings), secret: made } };
};

export const delete_store_connections_id: OperationHandler<'delete_store_connections_id'> = async ({ path }, { storage, now }) => {
  await storage.write((transaction) => disconnectStore(transaction, path.id, now));
  return { status: 200, body: { disconnected: true } };
};

/** Null for a platform that shows a secret of its own. */
const makeSecret = (platform: StorePlatform, random: SecureRandom): string | null =>
  getConnector(platform).setup.usesOurSecret ? createStoreSecret(random) : null;

function missingSecret(platform: StorePlatform): ApiError {
  const problem = `${getConnector(platform).title} signs with a key of its own. Copy it from there.`;
  return new ApiError('rest_invalid_param', { message: 'Invalid parameter(s): secret.', data: { params: { secret: problem } } });
}
