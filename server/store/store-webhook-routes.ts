import { Router } from '@koa/router';
import { getConnector } from '../../connectors/index.ts';
import { translate } from '../../connectors/translate.ts';
import { databaseErrorKind } from '../../db/engine/database-error.ts';
import { createVisitorHasher } from '../../domain/clicks/record.ts';
import type { Clock } from '../../domain/clock.ts';
import { ApiError } from '../../domain/errors.ts';
import type { KeyRing } from '../../domain/master-key/key-ring.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { MicroBatcher, nextTurn } from '../../domain/micro-batcher.ts';
import { systemRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { StoreConnection, StoreDelivery } from '../../domain/store/connection.ts';
import type { BillingFact } from '../../domain/store/payment.ts';
import { recordPayments } from '../../domain/store/record-payments.ts';
import { recordUpdates, type UpdateOutcome } from '../../domain/store/record-updates.ts';
import type { PaymentSource } from '../../domain/store/store-facts.ts';
import type { NumberedUpdate } from '../../domain/store/update.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { WindowCounters } from '../../domain/window-counters.ts';
import { buildProgram } from '../../site/program.ts';
import { isAddOnActive } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { noRouteError } from '../http/error-response.ts';
import { readBytes } from '../http/read-bytes.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';
import { addressGroup } from '../http/trusted-proxies.ts';
import type { Metrics } from '../metrics/metrics.ts';

interface StoreWebhookParts {
  storage: UnitOfWork<Repositories> & { readonly counters: WindowCounters };
  clock: Clock;
  masterKey: KeyRing;
  metrics?: Pick<Metrics, 'countStoreDelivery'> | undefined;
  /** Whether payments of a platform's test mode count. */
  acceptsTests?: boolean;
}

/** Accepts the signed webhooks of a store platform. Answers after the commit; a refused order is answered with 200, because platforms give up on errors. */
export function storeWebhookRoutes({ storage, clock, masterKey, metrics, acceptsTests = false }: StoreWebhookParts): Router<RequestState> {
  const lookup = createConnectionLookup({ storage, masterKey });
  const record = createDeliveryRecorder({ storage, clock, masterKey }, lookup);
  const router = new Router<RequestState>({ strict: true });
  router.post('/connect/:id', async (ctx: RequestContext & { params: Record<string, string> }) => {
    const { settings } = ctx.state;
    const id = ctx.params['id'] ?? '';
    const connection = isAddOnActive('store', settings) && idPattern.test(id) ? await lookup.add(id) : null;
    if (!connection) throw noRouteError(ctx);
    const bytes = await readBytes(ctx, maxBytes, '2 MiB');
    const request = { headers: ctx.headers, bytes, receivedAt: clock.now() };
    const { secret, platform } = connection;
    const connector = getConnector(platform);
    if (connector.isPing(request)) {
      ctx.body = { outcome: 'ignored' };
      return;
    }
    if (secret === null || !connector.isSigned(request, secret)) {
      metrics?.countStoreDelivery(platform, 'unauthorized');
      await logUnauthorized(connection, storage, clock);
      throw await countFailure(ctx, connection, storage.counters);
    }
    const { currency, statuses, completed_when: completedWhen } = settings.store;
    const { topic, orderId, ...translation } = translate(connector, request, {
      currency,
      statuses,
      completedWhen,
      acceptsTests,
    });
    const delivery = { connectionId: connection.id, receivedAt: request.receivedAt, topic, orderId };
    const received = 'outcome' in translation ? { settled: { outcome: translation.outcome, reason: translation.reason } } : translation;
    const { outcome, isPostponed } = await record(
      { delivery, source: { platform, connectedAt: connection.createdAt }, ...received },
      settings,
    );
    if (isPostponed) ctx.status = 503;
    metrics?.countStoreDelivery(platform, outcome);
    if ('error' in translation) throw new ApiError(translation.error, { message: translation.reason });
    ctx.body = { outcome };
  });
  return router;
}

const idPattern = /^[0-9a-f]{32}$/;

interface OpenConnection extends Pick<StoreConnection, 'id' | 'platform' | 'createdAt'> {
  secret: string | null;
}

/** Finds active connections. Those of deliveries that arrive together are read by one statement, and their secrets decrypted once. */
function createConnectionLookup({ storage, masterKey }: Pick<StoreWebhookParts, 'storage' | 'masterKey'>) {
  const secrets = createSecrets('store_secret', masterKey, systemRandom);
  const open = ({ id, platform, createdAt, encryptedSecret }: StoreConnection): OpenConnection => ({
    id,
    platform,
    createdAt,
    secret: encryptedSecret === null ? null : secrets.decrypt(encryptedSecret, id),
  });
  const runBatch = async (ids: readonly string[]): Promise<(OpenConnection | null)[]> => {
    const found = await storage.query(({ connections }) => connections.byIds([...new Set(ids)]));
    const active = found.filter(({ disconnectedAt }) => disconnectedAt === null);
    const byId = new Map(active.map((connection) => [connection.id, open(connection)]));
    return ids.map((id) => byId.get(id) ?? null);
  };
  return new MicroBatcher({ runBatch, maxBatchSize, failsWholeBatch, gather: nextTurn });
}

const maxBytes = 2 * 2 ** 20;

/** One a minute: what is not signed may come from anywhere, and nothing of it is stored. */
async function logUnauthorized({ id, secret }: OpenConnection, storage: StoreWebhookParts['storage'], clock: Clock): Promise<void> {
  const { count } = await storage.counters.hit(`connect-unauthorized:${id}`, 60);
  if (count > 1) return;
  const reason =
    secret === null ? 'The secret of the shop is not set.' : 'The signature is missing or wrong: the shop may sign with another secret.';
  const delivery = { connectionId: id, receivedAt: clock.now(), topic: '', orderId: null, outcome: 'refused', reason } as const;
  await storage.write(({ connections }) => connections.addDeliveries([delivery]));
}

/** Counted for each connection and address, apart from other failures. A valid signature is never refused. */
async function countFailure(ctx: RequestContext, { id }: OpenConnection, counters: WindowCounters): Promise<ApiError> {
  const { lockout } = ctx.state.settings;
  const wrong = new ApiError('svc_api_unauthorized', { message: 'The signature is missing or wrong.' });
  if (lockout.max_failures === 0 || lockout.window_minutes === 0) return wrong;
  const bucket = `connect-failures:${id}:${addressGroup(ctx.state.address)}`;
  const { count, secondsLeft } = await counters.hit(bucket, lockout.window_minutes * 60);
  if (count <= lockout.max_failures) return wrong;
  return new ApiError('svc_api_too_many_auth_failures', { data: { retry_after: secondsLeft } });
}

interface ReceivedDelivery {
  delivery: Omit<StoreDelivery, 'outcome' | 'reason'>;
  source: PaymentSource;
  update?: NumberedUpdate;
  fact?: BillingFact;
  /** The outcome of a delivery that updates no order. */
  settled?: UpdateOutcome;
}

/** A larger batch would delay its first delivery and save little: the commit already costs one disk flush for all. */
const maxBatchSize = 64;

const failsWholeBatch = (error: unknown): boolean => databaseErrorKind(error) !== null;

/** Deliveries that arrive together are committed together with their log. Returns the outcome after the commit. */
function createDeliveryRecorder({ storage, clock, masterKey }: StoreWebhookParts, lookup: Pick<MicroBatcher<string, unknown>, 'current'>) {
  const hashVisitor = createVisitorHasher(masterKey.visitorKey);
  let latest: Settings;
  const runBatch = (received: readonly ReceivedDelivery[]): Promise<UpdateOutcome[]> =>
    storage.write(async (transaction) => {
      const context = { program: buildProgram(latest), now: clock.now(), userId: 0, hashVisitor };
      const updates = received.flatMap(({ update, delivery: { connectionId } }) => (update ? { ...update, connectionId } : []));
      const recorded = await recordUpdates(transaction, updates, context);
      const facts = received.flatMap(({ fact, source }) => (fact ? [{ fact, ...source }] : []));
      const paid = await recordPayments(transaction, facts, context);
      const outcomes = received.map(({ settled, fact }) => settled ?? ((fact ? paid : recorded).shift() as UpdateOutcome));
      await transaction.connections.addDeliveries(
        received.map(({ delivery }, at) => {
          const { outcome, reason, orderId } = outcomes[at] as UpdateOutcome;
          return { ...delivery, orderId: orderId ?? delivery.orderId, outcome, reason };
        }),
      );
      return outcomes;
    }, 'exclusive');
  const batcher = new MicroBatcher({ runBatch, maxBatchSize, failsWholeBatch, gather: () => gatherDeliveries(lookup) });
  return async (received: ReceivedDelivery, settings: Settings): Promise<UpdateOutcome> => {
    latest = settings;
    return batcher.add(received);
  };
}

/** In the first turn of the event loop the answers are sent; what follows them arrives in the next ones. */
const gatheredTurns = 3;

/** Shops that were just answered send their next deliveries: batches twice as large cost a fifth less for each (row `store-webhook`). */
async function gatherDeliveries(lookup: Pick<MicroBatcher<string, unknown>, 'current'>): Promise<void> {
  for (let turn = 0; turn < gatheredTurns; turn += 1) await nextTurn();
  await lookup.current();
  // The bodies of those whose connections were read.
  await nextTurn();
}
