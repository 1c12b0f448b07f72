import { useState } from 'preact/hooks';
import { Badge, Card, Facts, Name, PageHead } from '../components.tsx';
import { formatDateTime, formatNumber } from '../format.ts';
import { describeError, Loaded, useLoad } from '../load.tsx';
import { deliveryStatuses, webhookStatuses } from '../program-words.ts';
import type { Webhook, WebhookDelivery } from '../records.ts';
import { api, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';

/** One webhook with what was sent to it. The API lists webhooks and has no operation for one. */
export function WebhookPage({ id }: { id: number }) {
  const webhooks = useLoad(() => api.webhooks.list({ per_page: 100 }), [id]);
  return (
    <Loaded from={webhooks}>
      {({ items }) => {
        const webhook = items.find((item) => item.id === id);
        return webhook ? <Details webhook={webhook} /> : <PageHead title="There is no such webhook" />;
      }}
    </Loaded>
  );
}

function Details({ webhook }: { webhook: Webhook }) {
  const [version, setVersion] = useState(0);
  const [shown, setShown] = useState<string | null>(null);
  const replay = async (delivery: WebhookDelivery): Promise<void> => {
    await api.webhooks.replay(webhook.id, delivery.id).then(
      () => showToast(`${delivery.event} is sent again.`),
      (error) => showToast(describeError(error)),
    );
    setVersion(version + 1);
  };
  return (
    <div class="stack">
      <PageHead title={webhook.name || webhook.url} lead={<Name>{webhook.url}</Name>}>
        <a class="plain" href="/console/webhooks">
          All webhooks
        </a>
      </PageHead>
      <Card title="Webhook">
        <Facts
          of={[
            ['Status', <Badge of={webhookStatuses[webhook.status]} />],
            ['Events', webhook.events[0] === '*' ? 'all' : webhook.events.join(', ')],
            ['Last delivery', formatDateTime(webhook.last_delivery)],
            ['Failed in a row', formatNumber(webhook.failures)],
          ]}
        />
      </Card>
      <Card title="Deliveries of the last 30 days" actions={<RefreshButton onClick={() => setVersion(version + 1)} />}>
        <Table
          name="Deliveries"
          columns={listColumns({ shown, onShow: setShown, onReplay: replay })}
          load={({ page, per_page }) => api.webhooks.deliveries(webhook.id, { page, per_page })}
          keys={[version]}
          keyOf={({ id }) => id}
          noteOf={(delivery) => delivery.id === shown && <Attempts of={delivery} />}
          empty="Nothing was sent in the last 30 days."
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
  { title: 'Event', cell: ({ event }) => <code>{event}</code>, csv: ({ event }) => event, place: 'name' },
  { title: 'Time', cell: ({ date }) => formatDateTime(date), csv: ({ date }) => date, place: 'detail' },
  { title: 'Status', cell: ({ status }) => <Badge of={deliveryStatuses[status]} />, csv: ({ status }) => status, place: 'value' },
  { title: 'Attempts', isNumber: true, cell: ({ attempts }) => formatNumber(attempts.length), csv: ({ attempts }) => attempts.length },
  {
    title: '',
    cell: (delivery) => (
      <div class="actions">
        <button
          type="button"
          class="plain"
          aria-expanded={shown === delivery.id}
          aria-label={`Attempts of ${delivery.event} of ${formatDateTime(delivery.date)}`}
          onClick={() => onShow(shown === delivery.id ? null : delivery.id)}
        >
          Attempts
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
