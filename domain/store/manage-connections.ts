import { ApiError } from '../errors.ts';
import type { Secrets } from '../master-key/secrets.ts';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { ConnectionApi, ConnectionRepository, PullState, StoreConnection } from './connection.ts';

interface ConnectContext {
  now: number;
  random: SecureRandom;
  secrets: Secrets;
}

const noApi: ConnectionApi = { apiUrl: null, apiKey: null, encryptedApiSecret: null };
const notPulled: PullState = { pulledTo: null, trashPulledTo: null, pulledAt: null };

interface NewConnection extends Pick<StoreConnection, 'platform' | 'name'> {
  secret: string | null;
  /** Needed where the secret of the API was encrypted for it. */
  id?: string;
  api?: ConnectionApi | undefined;
}

export const newConnectionId = (random: SecureRandom): string => random.bytes(16).toString('hex');

/** Connects the store. A program is attached to one store, so a second active connection is refused. */
export async function connectStore(
  { connections }: Transaction<{ connections: ConnectionRepository }>,
  { platform, name, secret, api = noApi, ...given }: NewConnection,
  { now, random, secrets }: ConnectContext,
): Promise<StoreConnection> {
  const active = await connections.active();
  if (active)
    throw new ApiError('svc_api_conflict', {
      message: `The store is connected already, by ${active.id} (${active.platform}). Disconnect it first.`,
    });
  const id = given.id ?? newConnectionId(random);
  const encryptedSecret = secret === null ? null : secrets.encrypt(secret, id);
  const connection: StoreConnection = { id, platform, name, encryptedSecret, createdAt: now, disconnectedAt: null, ...api, ...notPulled };
  await connections.insert(connection);
  return connection;
}

/** For a platform that signs with a secret of ours. */
export const createStoreSecret = (random: SecureRandom): string => random.bytes(32).toString('base64url');

/** Returns the connection with its new secret. */
export async function setStoreSecret(
  { connections }: Transaction<{ connections: ConnectionRepository }>,
  connection: StoreConnection,
  secret: string,
  secrets: Secrets,
): Promise<StoreConnection> {
  const encryptedSecret = secrets.encrypt(secret, connection.id);
  await connections.setSecret(connection.id, encryptedSecret);
  return { ...connection, encryptedSecret };
}

/** @throws ApiError for an unknown or disconnected one. */
export async function disconnectStore(
  transaction: Transaction<{ connections: ConnectionRepository }>,
  id: string,
  now: number,
): Promise<void> {
  await getActiveConnection(transaction, id);
  await transaction.connections.disconnect(id, now);
}

/** What was pulled from another shop says nothing about this one. */
export async function changeApi(
  { connections }: Transaction<{ connections: ConnectionRepository }>,
  connection: StoreConnection,
  api: ConnectionApi,
): Promise<void> {
  await connections.setApi(connection.id, api);
  if (connection.apiUrl !== api.apiUrl) await connections.savePull(connection.id, notPulled);
}

/** @throws ApiError for an unknown or disconnected one. */
export async function getActiveConnection({ connections }: { connections: ConnectionRepository }, id: string): Promise<StoreConnection> {
  const connection = await connections.byId(id);
  if (!connection || connection.disconnectedAt !== null)
    throw new ApiError('svc_api_not_found', { message: `There is no active connection ${id}.` });
  return connection;
}

const retentionMs = 30 * 86_400_000;

/** Deletes in small batches, so that other writes do not wait long. Returns the number deleted. */
export const deleteOldStoreDeliveries = (
  { connections }: Transaction<{ connections: ConnectionRepository }>,
  now: number,
  limit: number,
): Promise<number> => connections.deleteDeliveriesBefore(now - retentionMs, limit);
