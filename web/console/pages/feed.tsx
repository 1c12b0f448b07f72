import { useEffect, useState } from 'preact/hooks';
import { type EventKind, type FeedEvent, follow } from '../../../client/src/index.ts';
import { Card, Icon, PageHead, Tabs } from '../components.tsx';
import { addDays, countOf, formatAmountsIn, formatDate, formatMoney, formatNumber, sumOf, today } from '../format.ts';
import type { IconName } from '../icons.ts';
import { hrefOfAffiliate, hrefOfCoupon, hrefOfOrder, hrefOfPayout, hrefOfSignal, NameLink } from '../links.tsx';
import { ErrorBox, Loaded, useLoad } from '../load.tsx';
import { nameOf } from '../names.ts';
import { describeKind, kindNames, technicalKinds } from '../program-words.ts';
import type { RiskSignal } from '../records.ts';
import { riskKinds, riskStatuses } from '../risk-words.ts';
import { getChoice, getQuery, hrefWith } from '../router.ts';
import { api, getMe, isServed } from '../session.ts';
import { type Column, CsvButton, Paging } from '../table.tsx';

const kinds = Object.keys(kindNames) as EventKind[];
/** A free site refuses kinds that only a pro site has. */
const isOffered = (kind: EventKind): boolean => getMe().edition === 'pro' || !/^(mla_|webhook_|payout_(?!details))/.test(kind);
const startWith = (...starts: string[]): EventKind[] => kinds.filter((kind) => starts.some((start) => kind.startsWith(start)));

/** Which events a view shows. What only developers need is behind a view of its own. */
const views: Record<string, { text: string; kinds?: readonly EventKind[] }> = {
  program: { text: 'Important', kinds: kinds.filter((kind) => !technicalKinds.has(kind)) },
  orders: { text: 'Orders and commission', kinds: startWith('referral', 'commission', 'mla_commission') },
  payouts: { text: 'Payouts', kinds: startWith('payout') },
  people: { text: 'Affiliates', kinds: startWith('registration', 'affiliate', 'coupon', 'user') },
  technical: { text: 'Technical', kinds: [...technicalKinds] },
  all: { text: 'Everything' },
};

/** What happened, newest first. New events appear by themselves on the first page. */
export function Feed() {
  const view = getChoice('view', views) ?? 'program';
  const shown = views[view]?.kinds?.filter(isOffered);
  const isFirstPage = getQuery('page') === '';
  const [newest, setNewest] = useState<number | null>(null);
  const [fresh, setFresh] = useState<readonly FeedEvent[]>([]);
  const [error, setError] = useState<unknown>();
  const page = /^[1-9]\d{0,8}$/.test(getQuery('page')) ? Number(getQuery('page')) : 1;
  const load = (query: { page: number; per_page: number }) => api.events.list({ ...query, ...(shown && { event: [...shown] }) });
  const list = useLoad(() => load({ page, per_page: 50 }), [view, page]);
  useEffect(() => void (list.value && setNewest((current) => current ?? list.value?.items[0]?.id ?? 0)), [list.value]);
  useEffect(() => {
    setFresh([]);
    setNewest(null);
  }, [view, isFirstPage]);
  useEffect(() => {
    if (newest === null || !isFirstPage) return;
    const controller = new AbortController();
    setError(undefined);
    const watch = async (): Promise<void> => {
      const options = {
        after: newest,
        signal: controller.signal,
        stream: isServed('get_events_stream'),
        longestIdleSeconds: 10,
        ...(shown && { kinds: [...shown] }),
      };
      for await (const event of follow(api, options)) setFresh((list) => [event, ...list].slice(0, 200));
    };
    watch().catch((failure) => !controller.signal.aborted && setError(failure));
    return () => controller.abort();
  }, [newest, isFirstPage]);
  const tabs = Object.entries(views).map(([name, { text }]) => ({
    text,
    href: hrefWith({ view: name === 'program' ? null : name, page: null }),
    isCurrent: name === view,
  }));
  return (
    <>
      <PageHead title="Feed" lead="What happened in the program. New entries appear by themselves." />
      <Card>
        <Tabs label="Show" items={tabs} />
        {error !== undefined && <ErrorBox error={error} />}
        {fresh.length > 0 && (
          <div class="fresh">
            <p class="small quiet" role="status">
              {fresh.length === 1 ? '1 new entry' : `${fresh.length} new entries`} since you opened the page
            </p>
            <Events of={fresh} />
          </div>
        )}
        <Loaded from={list}>
          {({ items, total, totalPages }) => (
            <>
              <div class="table-tools">
                <p class="quiet">{countOf(total, 'entries')}</p>
                {total > 0 && <CsvButton name="Feed" columns={fileColumns} load={load} />}
              </div>
              {total === 0 && <p class="empty">Nothing happened yet. Orders, payouts and applications appear here.</p>}
              {listDays(items).map(([day, events]) => (
                <section key={day} class="day">
                  <h2>{nameDay(day)}</h2>
                  <Events of={events} />
                </section>
              ))}
              <Paging page={page} totalPages={totalPages} prefix="" />
            </>
          )}
        </Loaded>
      </Card>
    </>
  );
}

function listDays(events: readonly FeedEvent[]): [string, FeedEvent[]][] {
  const days = new Map<string, FeedEvent[]>();
  for (const event of events) {
    const day = event.date.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return [...days];
}

function nameDay(day: string): string {
  if (day === today()) return 'Today';
  return day === addDays(today(), -1) ? 'Yesterday' : formatDate(day);
}

const icons: Record<FeedEvent['object_type'], IconName> = {
  order: 'orders',
  coupon: 'coupon',
  registration: 'application',
  user: 'people',
  payout: 'payouts',
  api_key: 'key',
  app_password: 'key',
  webhook: 'webhook',
  ledger_seal: 'lock',
  site: 'settings',
  risk_signal: 'risk',
};

/** One line for each: its icon, what happened, who did it and when. The sentence is the link, and covers the line. */
const Events = ({ of }: { of: readonly FeedEvent[] }) => (
  <ul class="events">
    {foldRuns(of).map((run) =>
      run.length < 4 ? (
        run.map((event) => <Line key={event.id} of={event} />)
      ) : (
        <li key={run[0]?.id} class="run">
          <details>
            <summary>{describeRun(run)}</summary>
            <ul class="events">
              {run.map((event) => (
                <Line key={event.id} of={event} />
              ))}
            </ul>
          </details>
        </li>
      ),
    )}
  </ul>
);

function Line({ of: event }: { of: FeedEvent }) {
  const { label, tone } = describeKind(event.event);
  return (
    <li>
      <span class={`event-icon badge ${tone}`} title={label}>
        <Icon name={icons[event.object_type]} />
        <span class="off-screen">{label}</span>
      </span>
      <NameLink href={hrefOf(event)} name={describe(event)} />
      <span class="small quiet">{nameActor(event)}</span>
      <time class="small quiet" dateTime={event.date}>
        {event.date.slice(11, 16)}
      </time>
    </li>
  );
}

/** What a run of payouts does to many at once. */
const runWords: Partial<Record<EventKind, string>> = {
  payout_request: 'requested',
  payout_created: 'put into a file',
  payout_paid: 'paid',
  payout_cancelled: 'cancelled',
};

/** Payouts that one person changed in a row are together. */
function foldRuns(events: readonly FeedEvent[]): FeedEvent[][] {
  const runs: FeedEvent[][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    const isSame = last?.[0]?.event === event.event && last[0].user_id === event.user_id && event.event in runWords;
    if (isSame) last.push(event);
    else runs.push([event]);
  }
  return runs;
}

const amountOf = ({ data }: FeedEvent): number => (data && 'amount' in data ? data.amount : 0);
const describeRun = (events: readonly FeedEvent[]): string =>
  `${formatNumber(events.length)} payouts were ${runWords[events[0]?.event ?? 'payout_request']} · ${formatMoney(sumOf(events, amountOf))}`;

const fileColumns: readonly Column<FeedEvent>[] = [
  { title: 'Time', cell: () => null, csv: ({ date }) => date },
  { title: 'Kind', cell: () => null, csv: ({ event }) => event },
  { title: 'What happened', cell: () => null, csv: ({ info }) => info },
  { title: 'By', cell: () => null, csv: ({ user_id }) => user_id },
];

/** Empty for what the service does by itself. Managers have no name here. */
function nameActor({ user_id: id, data }: FeedEvent): string {
  if (id === 0) return '';
  if (id === getMe().user.id) return 'by you';
  const name = nameOf(id);
  return data?.['user_id'] === id && name.startsWith('#') ? 'by the affiliate' : `by ${name.replace('#', 'user #')}`;
}

/** Without what only a program reads: the number of a seal, the kind of a signal. */
function describe({ event, info, data }: FeedEvent): string {
  if (event === 'ledger_sealed') return 'The ledger was sealed.';
  if (event !== 'risk_signal_opened' && event !== 'risk_signal_decided') return formatAmountsIn(info);
  const { kind, user_id: userId, status } = data as unknown as Pick<RiskSignal, 'kind' | 'user_id' | 'status'>;
  const decision = event === 'risk_signal_decided' ? `, ${riskStatuses[status].label.toLowerCase()}` : '';
  return `${riskKinds[kind].label}: ${nameOf(userId)}${decision}`;
}

/** Pages of objects that have no page of their own, with the operation that reads them. */
const lists: Partial<Record<FeedEvent['object_type'], readonly [href: string, operation: string]>> = {
  registration: ['/console/applications', 'get_registrations'],
  webhook: ['/console/webhooks', 'get_webhooks'],
  api_key: ['/console/keys', 'get_keys'],
};

/** The page of what the event is about. */
function hrefOf({ object_type, event_id, data }: FeedEvent): string | null {
  const { coupon_id: couponId, order_id: orderId } = (data ?? {}) as { coupon_id?: number; order_id?: number };
  if (object_type === 'order') return hrefOfOrder(orderId ?? event_id) ?? (couponId ? hrefOfCoupon(couponId) : null);
  if (object_type === 'coupon') return hrefOfCoupon(event_id);
  if (object_type === 'user') return hrefOfAffiliate(event_id);
  if (object_type === 'payout') return hrefOfPayout(event_id);
  if (object_type === 'risk_signal') return hrefOfSignal(event_id);
  const [href, operation] = lists[object_type] ?? [];
  return href && operation && isServed(operation) ? href : null;
}
