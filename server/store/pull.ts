import { createHash } from 'node:crypto';
import type { ListPage, PullApi, PullingConnector, PullPosition, TranslationOptions } from '../../connectors/connector.ts';
import { type Translation, translatePayload } from '../../connectors/translate.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { PullState, StoreConnection, StoreOutcome } from '../../domain/store/connection.ts';
import { hasSameRefunds, recordUpdates } from '../../domain/store/record-updates.ts';
import type { NumberedUpdate, PlatformOrder } from '../../domain/store/update.ts';
import type { Transaction, UnitOfWork } from '../../domain/unit-of-work.ts';
import { buildProgram } from '../../site/program.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { type ShopApi, ShopApiError } from './shop-api.ts';

export interface PullOptions {
  storage: UnitOfWork<Repositories>;
  clock: Clock;
  settings: Settings;
  connector: PullingConnector;
  connection: StoreConnection;
  api: ShopApi;
  hashVisitor(visitor: string): string;
  /** From where to read, instead of where the last pull ended. */
  since: number | null;
  progress(orders: number, total: number | null): void;
}

export interface PullResult {
  outcomes: Record<StoreOutcome, number>;
  refused: { orderId: number | null; reason: string }[];
  /** Why it did not come to the end. */
  failure: string | null;
}

/** A shop stores a change a little after the moment that it writes into it. */
const overlapMs = 60_000;
const second = 1000;
/** Far more than it takes, also where orders change meanwhile. */
const getMaxPages = (pages: number | null): number => Math.min(100 + 10 * (pages ?? Number.POSITIVE_INFINITY), 100_000);
const maxRefundPages = 20;

/**
 * Reads the orders that changed, in the order of their changes, and records each page together with the position: a pull that is stopped and
 * repeated continues there. Orders that change meanwhile move to the end of the list, so none is missed.
 */
export async function pullOrders(options: PullOptions): Promise<PullResult> {
  const { storage, clock, connector, connection } = options;
  const result: PullResult = {
    outcomes: { created: 0, updated: 0, unchanged: 0, ignored: 0, refused: 0 },
    refused: [],
    failure: null,
  };
  try {
    for (const { status, position } of connector.pull.lists) await pullList(status, position, options, result);
    await storage.write(({ connections }) => connections.savePull(connection.id, { pulledAt: clock.now() }));
  } catch (error) {
    if (!(error instanceof ShopApiError)) throw error;
    result.failure = error.message;
  }
  return result;
}

async function pullList(status: string, position: PullPosition, options: PullOptions, result: PullResult): Promise<void> {
  const { api, connector, connection, since, progress } = options;
  const { changedOrdersPath, ordersOfSecondPath, perPage } = connector.pull;
  const stored = connection[position];
  let from = since ?? (stored === null ? null : stored - overlapMs);
  // The position moves only where that leaves no gap.
  const isContinuous = since === null || stored === null || since <= stored;
  let seen = new Set<string | symbol>();
  let read = 0;
  let pagesLeft: number | null = null;
  const list = async (path: string): Promise<ListPage> => {
    if (pagesLeft === 0) throw new ShopApiError('The shop changes faster than it can be read.');
    const page = await api.list(path);
    pagesLeft = (pagesLeft ?? getMaxPages(page.pages)) - 1;
    return page;
  };
  const record = async ({ items, total }: ListPage, to: number | null): Promise<void> => {
    const unseen = items.filter((item) => !seen.has(hashItem(item)));
    await recordPage(unseen, isContinuous && to !== null ? { position, to } : null, options, result);
    progress(read + unseen.length, total === null ? null : Math.max(read + total, read + unseen.length));
    read += unseen.length;
    for (const item of items) seen.add(hashItem(item));
  };
  for (;;) {
    const page = await list(changedOrdersPath(status, from));
    const last = findLast(page.items, from, connector.pull);
    await record(page, last);
    if (isLastPage(page, 1, perPage)) return;
    if (last === null) throw new ShopApiError('The shop lists orders without the date of their last change.');
    if (from === null || last > from) from = last;
    else {
      const start = from;
      const listSecond = (number: number) => list(ordersOfSecondPath(status, start, number));
      await pullSecond(listSecond, perPage, (part) => record(part, last));
      from += second;
    }
    seen = new Set(page.items.map(hashItem));
  }
}

/** More orders than a page has changed within one second. They are read by their number; whenever one leaves, all are read again. */
async function pullSecond(
  list: (number: number) => Promise<ListPage>,
  perPage: number,
  record: (page: ListPage) => Promise<void>,
): Promise<void> {
  let total: number | null = null;
  for (let number = 1; ; number += 1) {
    const page = await list(number);
    await record(page);
    if (number > 1 && page.total !== total) number = 0;
    else if (isLastPage(page, number, perPage)) return;
    total = page.total;
  }
}

/** An item that nests too deep for this is never taken for one that was seen: recording it again changes nothing. */
function hashItem(item: unknown): string | symbol {
  try {
    return createHash('sha256').update(JSON.stringify(item)).digest('base64');
  } catch (error) {
    if (error instanceof RangeError) return Symbol('too deep');
    throw error;
  }
}

const isLastPage = ({ items, pages }: ListPage, number: number, perPage: number): boolean =>
  pages === null ? items.length < perPage : pages <= number;

/** The newest change on the page; null if no item has a date. A shop that lists otherwise than requested would make the pull skip orders. */
function findLast(items: readonly unknown[], from: number | null, { readModifiedAt, requirement }: PullApi): number | null {
  let last: number | null = null;
  for (const moment of items.map(readModifiedAt)) {
    if (moment === null) continue;
    if (moment < (last ?? (from === null ? moment : from - second)))
      throw new ShopApiError(`The shop does not list orders by the date of their last change. ${requirement}`);
    last = moment;
  }
  return last;
}

async function recordPage(
  items: readonly unknown[],
  moved: { position: PullPosition; to: number } | null,
  options: PullOptions,
  result: PullResult,
): Promise<void> {
  const { storage, clock, settings, connector, connection, hashVisitor } = options;
  const { currency, statuses, completed_when: completedWhen } = settings.store;
  const translationOptions: TranslationOptions = { currency, statuses, completedWhen };
  const translations = items.map((item) => translatePayload(connector, connector.pull.topic, item, translationOptions));
  await addExactRefunds(translations, options);
  const updates = translations.flatMap((translation) => ('update' in translation ? translation.update : []));
  const recorded = await storage.write(async (transaction) => {
    const now = clock.now();
    const connected = updates.map((update) => ({ ...update, connectionId: connection.id }));
    const outcomes = await recordUpdates(transaction, connected, { program: buildProgram(settings), now, userId: 0, hashVisitor });
    if (moved) await movePosition(transaction, connection.id, moved, now);
    return outcomes;
  }, 'exclusive');
  for (const translation of translations) {
    const settled = 'outcome' in translation ? translation : recorded.shift();
    const outcome = settled?.outcome ?? 'refused';
    result.outcomes[outcome] += 1;
    if (outcome === 'refused') result.refused.push({ orderId: translation.orderId, reason: settled?.reason ?? '' });
  }
}

/** Never back, and never into the future: with a wrong date the shop would have nothing newer for years. */
async function movePosition(
  { connections }: Transaction<Repositories>,
  id: string,
  { position, to }: { position: PullPosition; to: number },
  now: number,
): Promise<void> {
  const stored: PullState | null = await connections.byId(id);
  const reached = Math.floor(Math.min(to, now) / second) * second;
  if ((stored?.[position] ?? 0) < reached) await connections.savePull(id, { [position]: reached });
}

/** Requests the lines of refunds that are not stored exactly yet, of orders that may concern the program. */
async function addExactRefunds(translations: readonly Translation[], { storage, api, settings, connector }: PullOptions): Promise<void> {
  const updates = translations.flatMap((translation) => ('update' in translation ? translation.update : []));
  const refunded = updates.filter(hasRefunds);
  if (refunded.length === 0) return;
  const ids = refunded.map(({ orderId }) => orderId);
  const { stored, states } = await storage.read(async ({ orders, connections }) => ({
    stored: new Set((await orders.byIds(ids)).map(({ orderId }) => orderId)),
    states: new Map((await connections.orderStates(ids)).map((state) => [state.orderId, state])),
  }));
  for (const update of refunded) {
    const { orderId } = update;
    const state = states.get(orderId);
    const isExact = state !== undefined && state.exactRefund !== null && hasSameRefunds(state.refunds, update.refunds.byId);
    if (isExact || (!stored.has(orderId) && update.codes.length === 0 && update.order.visitor === undefined)) continue;
    const listed = await listRefunds(update, api, connector.pull);
    const exact = connector.pull.readExactRefund(update, listed, settings.store.currency);
    update.refunds = { ...update.refunds, exact };
  }
}

const hasRefunds = (update: NumberedUpdate): update is NumberedUpdate & PlatformOrder =>
  update.kind === 'order' && Object.keys(update.refunds.byId).length > 0;

/** None of an order that was deleted meanwhile. Ends as soon as they cannot be those of the order any more. */
async function listRefunds(
  { externalId, refunds: { byId } }: PlatformOrder,
  api: ShopApi,
  { refundsPath, perPage }: PullApi,
): Promise<unknown[]> {
  const refunds: unknown[] = [];
  const expected = Object.keys(byId).length;
  for (let number = 1; number <= maxRefundPages && refunds.length <= expected; number += 1) {
    const page = await api.list(refundsPath(externalId, number)).catch((error: unknown) => {
      if (error instanceof ShopApiError && error.status === 404) return { items: [], total: 0, pages: 0 };
      throw error;
    });
    refunds.push(...page.items);
    if (page.items.length === 0 || isLastPage(page, number, perPage)) break;
  }
  return refunds;
}
