import type { IncomingClick } from '../domain/clicks/incoming.ts';
import { recordClicks } from '../domain/clicks/record.ts';
import { ApiError } from '../domain/errors.ts';
import { toNumber } from '../domain/money.ts';
import { type IncomingOrder, type OrderOutcome, visitorIsUnknown, withLastVersions } from '../domain/order-recording/incoming.ts';
import { type AppliedRecord, applyAffiliate, applyCoupon, applyPayoutDetails, applyRegistration } from '../domain/records/apply.ts';
import { type IncomingRecord, readIncoming } from '../domain/records/incoming.ts';
import { type RawRecord, RecordError, type RecordKind } from '../domain/records/read-record.ts';
import type { Repositories } from '../domain/repositories.ts';
import type { Transaction } from '../domain/unit-of-work.ts';
import type { components } from '../generated/api.d.ts';
import { buildProgram, findOldestClick } from '../site/program.ts';
import { changeContext, type HandlerContext, type OperationHandler } from './context.ts';

type Outcome = components['schemas']['StoreOutcome'];
type OrderRow = components['schemas']['StoreOrderOutcome'];

export const post_store_orders: OperationHandler<'post_store_orders'> = async ({ body }, context) => {
  const read = body.map((raw) => readRecord('order', raw, context));
  const orders = withLastVersions(read.filter((order): order is IncomingOrder => !(order instanceof RecordError)));
  const outcomes = await Promise.all(orders.map((order) => context.recordOrder(order)));
  const rows = outcomes.map((outcome) => orderRow(outcome, context.settings.store.currency));
  const rowOf = (order: IncomingOrder | RecordError): OrderRow =>
    order instanceof RecordError ? { ...refused(order.message), coupon_id: null, commission: null } : (rows.shift() as OrderRow);
  return { status: 200, body: read.map(rowOf) };
};

export const post_store_clicks: OperationHandler<'post_store_clicks'> = async ({ body }, context) => {
  const read = body.map((raw) => readRecord('click', raw, context));
  const clicks = read.filter((click): click is IncomingClick => !(click instanceof RecordError));
  const { settings, hashVisitor, now } = context;
  const recording = { program: buildProgram(settings), hashVisitor, oldestClick: findOldestClick(settings, now) };
  const { refusals, isNew } = await context.storage.write((transaction) => recordClicks(transaction, clicks, recording));
  const recorded = refusals.map(
    (reason, at): Outcome => (reason === null ? written(isNew[at] ? 'recorded' : 'unchanged', null) : refused(reason)),
  );
  return {
    status: 200,
    body: read.map((click) => (click instanceof RecordError ? refused(click.message) : (recorded.shift() as Outcome))),
  };
};

export const post_store_registrations: OperationHandler<'post_store_registrations'> = async ({ body }, context) => ({
  status: 200,
  body: await applyEach('registration', body, context, (transaction, application) =>
    applyRegistration(transaction, application, applyContext(context)),
  ),
});

export const post_store_affiliates: OperationHandler<'post_store_affiliates'> = async ({ body }, context) => ({
  status: 200,
  body: await applyEach('user', body, context, (transaction, affiliate) => applyAffiliate(transaction, affiliate, applyContext(context))),
});

export const post_store_coupons: OperationHandler<'post_store_coupons'> = async ({ body }, context) => ({
  status: 200,
  body: await applyEach('coupon', body, context, (transaction, coupon) => applyCoupon(transaction, coupon, applyContext(context))),
});

export const post_store_payout_details: OperationHandler<'post_store_payout_details'> = async ({ body }, context) => ({
  status: 200,
  body: await applyEach('payout_details', body, context, (transaction, details) =>
    applyPayoutDetails(transaction, details, { ...applyContext(context), secrets: context.secretsFor('payout_details') }),
  ),
});

const applyContext = (context: HandlerContext) => ({ ...changeContext(context), origin: 'api' }) as const;

function readRecord<Kind extends RecordKind>(kind: Kind, raw: RawRecord, { settings }: HandlerContext): IncomingRecord<Kind> | RecordError {
  const { timezone: zone, currency } = settings.store;
  try {
    return readIncoming(kind, raw, { locale: { zone, currency }, origin: 'api' });
  } catch (error) {
    if (error instanceof RecordError) return error;
    throw error;
  }
}

/** One transaction for each record, so that a refused one leaves nothing behind. In order: a parent may precede its recruit. */
async function applyEach<Kind extends RecordKind>(
  kind: Kind,
  body: readonly RawRecord[],
  context: HandlerContext,
  apply: (transaction: Transaction<Repositories>, record: IncomingRecord<Kind>) => Promise<AppliedRecord>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const raw of body) {
    const record = readRecord(kind, raw, context);
    outcomes.push(
      record instanceof RecordError ? refused(record.message) : await applyOne(context, (transaction) => apply(transaction, record)),
    );
  }
  return outcomes;
}

async function applyOne(
  { storage }: HandlerContext,
  apply: (transaction: Transaction<Repositories>) => Promise<AppliedRecord>,
): Promise<Outcome> {
  try {
    const { id, outcome } = await storage.write(apply);
    return written(outcome, id);
  } catch (error) {
    if (error instanceof ApiError) return refused(error.message);
    throw error;
  }
}

const outcomeWords = { recorded: 'created', changed: 'updated', unchanged: 'unchanged' } as const;

const written = (outcome: AppliedRecord['outcome'], id: number | null): Outcome => ({ outcome: outcomeWords[outcome], id, reason: null });

const refused = (reason: string) => ({ outcome: 'refused', id: null, reason }) as const;

const unreferred = 'The order names no coupon, and no click or lifetime link credits it.';

function orderRow(result: OrderOutcome, currency: string): OrderRow {
  const nothing = { id: null, coupon_id: null, commission: null };
  if (result.outcome === 'refused') return { outcome: 'refused', reason: result.reason, ...nothing };
  if (result.outcome === 'unattributed')
    return { outcome: 'ignored', reason: result.isVisitorUnknown ? visitorIsUnknown : unreferred, ...nothing };
  const { orderId, outcome, couponId, commission } = result;
  return { outcome: outcomeWords[outcome], id: orderId, reason: null, coupon_id: couponId, commission: toNumber(commission, currency) };
}
