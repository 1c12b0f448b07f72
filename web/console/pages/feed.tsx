import { useEffect, useState } from 'preact/hooks';
import { type EventKind, type FeedEvent, follow } from '../../../client/src/index.ts';
import { Badge, Card, PageHead, Tabs } from '../components.tsx';
import { formatDateTime, formatMoney } from '../format.ts';
import { hrefOfAffiliate, hrefOfCoupon, hrefOfOrder, hrefOfPayout, NameLink } from '../links.tsx';
import { ErrorBox } from '../load.tsx';
import { useNames } from '../names.ts';
import { describeKind, kindNames, technicalKinds } from '../program-words.ts';
import { getChoice, getQuery, hrefWith } from '../router.ts';
import { api, getMe, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';

const kinds = Object.keys(kindNames) as EventKind[];
/** A free site refuses kinds that only a pro site has. */
const isOffered = (kind: EventKind): boolean => getMe().edition === 'pro' || !/^(mla_|webhook_|payout_(?!details))/.test(kind);
const startWith = (...starts: string[]): EventKind[] => kinds.filter((kind) => starts.some((start) => kind.startsWith(start)));

/** Which events a view shows. What only developers need is behind a view of its own. */
const views: Record<string, { text: string; kinds?: readonly EventKind[] }> = {
  program: { text: 'Program', kinds: kinds.filter((kind) => !technicalKinds.has(kind)) },
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
  const nameOf = useNames();
  useEffect(() => {
    setFresh([]);
    setNewest(null);
  }, [view, isFirstPage]);
  useEffect(() => {
    if (newest === null || !isFirstPage) return;
    const controller = new AbortController();
    const watch = async (): Promise<void> => {
      const options = { after: newest, signal: controller.signal, longestIdleSeconds: 10, ...(shown && { kinds: [...shown] }) };
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
            <ul class="events">
              {fresh.map((event) => (
                <li key={event.id}>
                  <span class="quiet">{formatDateTime(event.date)}</span> <EventText event={event} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <Table
          name="Feed"
          columns={listColumns(nameOf)}
          load={({ page, per_page }) => api.events.list({ page, per_page, ...(shown && { event: [...shown] }) })}
          keys={[view]}
          keyOf={({ id }) => id}
          perPage={50}
          onRows={([event]) => setNewest((current) => current ?? event?.id ?? 0)}
          empty="Nothing happened yet."
        />
      </Card>
    </>
  );
}

const listColumns = (nameOf: (id: number) => string): Column<FeedEvent>[] => [
  { title: 'Time', cell: ({ date }) => formatDateTime(date), csv: ({ date }) => date, place: 'detail' },
  { title: 'Kind', cell: ({ event }) => <Badge of={describeKind(event)} />, csv: ({ event }) => event },
  { title: 'What happened', cell: (event) => <EventText event={event} />, csv: ({ info }) => info, place: 'name' },
  { title: 'By', cell: ({ user_id }) => nameActor(user_id, nameOf), csv: ({ user_id }) => user_id, place: 'detail' },
];

function nameActor(id: number, nameOf: (id: number) => string): string {
  if (id === 0) return 'automatic';
  return id === getMe().user.id ? 'you' : nameOf(id);
}

const EventText = ({ event }: { event: FeedEvent }) => <NameLink href={hrefOf(event)} name={describe(event)} />;

/** The sentence of the service, with amounts as the reader writes them. A seal is a long number that only a program compares. */
function describe({ event, info }: FeedEvent): string {
  if (event === 'ledger_sealed') return 'The ledger was sealed.';
  const { currency } = getMe();
  return info.replaceAll(new RegExp(`\\b(\\d+(?:\\.\\d+)?) ${currency}\\b`, 'g'), (_, amount: string) => formatMoney(Number(amount)));
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
  const [href, operation] = lists[object_type] ?? [];
  return href && operation && isServed(operation) ? href : null;
}
