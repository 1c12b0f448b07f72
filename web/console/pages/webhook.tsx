import { useState } from 'preact/hooks';
import { Badge, Card, Facts, Name, PageHead } from '../components.tsx';
import { formatDateTime, formatNumber } from '../format.ts';
import { describeError, Loaded, useLoad } from '../load.tsx';
import { deliveryStatuses, nameEvent } from '../program-words.ts';
import type { Webhook, WebhookDelivery } from '../records.ts';
import { navigate } from '../router.ts';
import { api, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';
import { WebhookActions } from '../webhook-forms.tsx';
import { Health } from './webhooks.tsx';

/** One webhook with what was sent to it. The API lists webhooks and has no operation for one. */
export function WebhookPage({ id }: { id: number }) {
  const webhooks = useLoad(() => api.webhooks.list({ per_page: 100 }), [id]);
  return (
    <Loaded from={webhooks}>
      {({ items }) => {
        const webhook = items.find((item) => item.id === id);
        return webhook ? <Details webhook={webhook} onChanged={webhooks.reload} /> : <PageHead title="There is no such webhook" />;
      }}
    </Loaded>
  );
}

function Details({ webhook, onChanged }: { webhook: Webhook; onChanged: () => void }) {
  const [version, setVersion] = useState(0);
  const [shown, setShown] = useState<string | null>(null);
  const refresh = (): void => {
    setVersion((count) => count + 1);
    onChanged();
  };
  const replay = async (delivery: WebhookDelivery): Promise<void> => {
    await api.webhooks.replay(webhook.id, delivery.id).then(
      () => showToast(`“${nameEvent(delivery.event)}” is sent again.`),
      (error) => showToast(describeError(error)),
    );
    refresh();
  };
  return (
    <div class="stack">
      <PageHead
        title={webhook.name || webhook.url}
        lead={<Name>{webhook.url}</Name>}
        back={{ href: '/console/webhooks', text: 'All webhooks' }}
      >
        <WebhookActions webhook={webhook} onChanged={refresh} onDeleted={() => navigate('/console/webhooks')} />
      </PageHead>
      <div class="columns">
        <Card title="State">
          <Facts
            of={[
              ['Status', <Health of={webhook} />],
              ['Last delivery', webhook.last_delivery === null ? 'Nothing sent yet' : formatDateTime(webhook.last_delivery)],
              ['Created', formatDateTime(webhook.date_created)],
              ...(webhook.last_error ? [['Last error', <Name>{webhook.last_error}</Name>] as const] : []),
            ]}
          />
        </Card>
        <Card title="Events">
          {webhook.events[0] === '*' ? (
            <p>All events, also those of later versions.</p>
          ) : (
            <ul class="plain-list">
              {webhook.events.map((event) => (
                <li key={event}>
                  {nameEvent(event)} <code>{event}</code>
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
      <Card title="Deliveries of the last 30 days" actions={<RefreshButton onClick={refresh} />}>
        <Table
          name="Deliveries"
          columns={listColumns({ shown, onShow: setShown, onReplay: replay })}
          load={({ page, per_page }) => api.webhooks.deliveries(webhook.id, { page, per_page })}
          keys={[version]}
          keyOf={({ id }) => id}
          noteOf={(delivery) => delivery.id === shown && <Attempts of={delivery} />}
          empty="Nothing was sent in the last 30 days. Send a test to see one arrive."
        />
      </Card>
    </div>
  );
}

export const RefreshButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" class="plain" onClick={onClick}>
    Refresh
  </button>
);

interface RowActions {
  shown: string | null;
  onShow: (id: string | null) => void;
  onReplay: (delivery: WebhookDelivery) => Promise<void>;
}

const listColumns = ({ shown, onShow, onReplay }: RowActions): Column<WebhookDelivery>[] => [
  {
    title: 'Event',
    cell: ({ event }) => (
      <>
        {nameEvent(event)} <code>{event}</code>
      </>
    ),
    csv: ({ event }) => event,
    place: 'name',
  },
  { title: 'Time', cell: ({ date }) => formatDateTime(date), csv: ({ date }) => date, place: 'detail' },
  { title: 'Status', cell: ({ status }) => <Badge of={deliveryStatuses[status]} />, csv: ({ status }) => status, place: 'value' },
  { title: 'Response', cell: describeResponse, csv: ({ attempts }) => attempts.at(-1)?.code ?? null },
  {
    title: 'Attempts',
    isNumber: true,
    cell: ({ attempts }) => formatNumber(attempts.length),
    csv: ({ attempts }) => attempts.length,
  },
  {
    title: '',
    cell: (delivery) => (
      <div class="actions">
        <button
          type="button"
          class="plain"
          aria-expanded={shown === delivery.id}
          aria-label={`Details of ${delivery.event} of ${formatDateTime(delivery.date)}`}
          onClick={() => onShow(shown === delivery.id ? null : delivery.id)}
        >
          Details
        </button>
        {isServed('post_webhooks_id_deliveries_delivery_replay') && delivery.status !== 'pending' && (
          <button
            type="button"
            class="plain"
            aria-label={`Send again: ${delivery.event} of ${formatDateTime(delivery.date)}`}
            onClick={() => onReplay(delivery)}
          >
            Send again
          </button>
        )}
      </div>
    ),
  },
];

/** The last answer, or when the next attempt is. */
function describeResponse({ attempts, next_attempt }: WebhookDelivery): string {
  const last = attempts.at(-1);
  const answer = last ? `${last.code ?? failures[last.failure ?? 'other']} in ${formatNumber(last.milliseconds)} ms` : '–';
  return next_attempt === null || !last ? answer : `${answer}, again ${formatDateTime(next_attempt)}`;
}

const failures = {
  dns: 'Unknown host',
  tls: 'TLS failed',
  refused: 'Connection refused',
  timeout: 'No answer',
  blocked: 'Address not allowed',
  other: 'Failed',
} as const;

const Attempts = ({ of: { attempts } }: { of: WebhookDelivery }) => (
  <ol class="attempts">
    {attempts.map(({ date, code, error, milliseconds, excerpt }, index) => (
      <li key={index}>
        {formatDateTime(date)}: {code === null ? <Name>{error}</Name> : `answered with ${code}`} after {formatNumber(milliseconds)} ms
        {excerpt && <pre>{excerpt}</pre>}
      </li>
    ))}
    {attempts.length === 0 && <li>It was not sent yet.</li>}
  </ol>
);
