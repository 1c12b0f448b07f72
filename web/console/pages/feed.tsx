import { useEffect, useState } from 'preact/hooks';
import { type EventKind, type FeedEvent, follow } from '../../../client/src/index.ts';
import { Card, PageHead, Select } from '../components.tsx';
import { formatDateTime } from '../format.ts';
import { hrefOfAffiliate, hrefOfCoupon, NameLink } from '../links.tsx';
import { ErrorBox, Loaded, useLoad } from '../load.tsx';
import { kindNames } from '../program-words.ts';
import { getChoice, setQuery } from '../router.ts';
import { api, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';

const shownEvents = 50;

/** What happened, newest first. New events appear by themselves on the first page. */
export function Feed() {
  const kind = getChoice('kind', kindNames) ?? '';
  const [fresh, setFresh] = useState<readonly FeedEvent[]>([]);
  const [error, setError] = useState<unknown>();
  const filter = kind === '' ? {} : { event: [kind as EventKind] };
  const newest = useLoad(() => api.events.list({ per_page: 1 }), [kind]);
  const after = newest.value ? (newest.value.items[0]?.id ?? 0) : null;
  useEffect(() => {
    if (after === null) return;
    const controller = new AbortController();
    setFresh([]);
    const watch = async (): Promise<void> => {
      const options = { after, signal: controller.signal, longestIdleSeconds: 10, ...(filter.event && { kinds: filter.event }) };
      for await (const event of follow(api, options)) setFresh((list) => [event, ...list].slice(0, 200));
    };
    watch().catch(setError);
    return () => controller.abort();
  }, [after, kind]);
  return (
    <>
      <PageHead title="Feed" lead="What happened in the program. New entries appear by themselves." />
      <Card>
        <div class="filters">
          <Select
            label="Kind"
            value={kind}
            options={[['', 'All'], ...Object.entries(kindNames)]}
            onChange={(value) => setQuery({ kind: value, page: null })}
          />
        </div>
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
        <Loaded from={newest}>
          {() => (
            <Table
              name="Feed"
              columns={columns}
              load={({ page, per_page }) => api.events.list({ page, per_page, ...filter })}
              keys={[kind]}
              keyOf={({ id }) => id}
              perPage={shownEvents}
              empty="There are no entries of this kind yet."
            />
          )}
        </Loaded>
      </Card>
    </>
  );
}

const columns: readonly Column<FeedEvent>[] = [
  { title: 'Time', cell: ({ date }) => formatDateTime(date), csv: ({ date }) => date },
  { title: 'Kind', cell: ({ event }) => kindNames[event] ?? event, csv: ({ event }) => event },
  { title: 'What happened', cell: (event) => <EventText event={event} />, csv: ({ info }) => info },
  { title: 'By', cell: ({ user_id }) => (user_id === 0 ? 'the system' : `user ${user_id}`), csv: ({ user_id }) => user_id },
];

const EventText = ({ event }: { event: FeedEvent }) => {
  return <NameLink href={hrefOf(event)} name={event.info} />;
};

/** Lists whose records have no page of their own, with the operation that reads them. */
const lists: Partial<Record<FeedEvent['object_type'], readonly [href: string, operation: string]>> = {
  payout: ['/console/program/payouts?status=all', 'get_payouts'],
  registration: ['/console/applications', 'get_registrations'],
  webhook: ['/console/webhooks', 'get_webhooks'],
  api_key: ['/console/keys', 'get_keys'],
};

/** The page of what the event is about. */
function hrefOf({ object_type, event_id, data }: FeedEvent): string | null {
  const couponId = (data as { coupon_id?: number } | null)?.coupon_id;
  if (object_type === 'order') return couponId && hrefOfCoupon(couponId) ? `${hrefOfCoupon(couponId)}?range=all` : null;
  if (object_type === 'coupon') return hrefOfCoupon(event_id);
  if (object_type === 'user') return hrefOfAffiliate(event_id);
  const [href, operation] = lists[object_type] ?? [];
  return href && operation && isServed(operation) ? href : null;
}
