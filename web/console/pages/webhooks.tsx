import { useState } from 'preact/hooks';
import { Badge, Card, PageHead } from '../components.tsx';
import { formatDateTime, formatNumber } from '../format.ts';
import { NameLink } from '../links.tsx';
import { webhookStatuses } from '../program-words.ts';
import type { Webhook } from '../records.ts';
import { api, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';
import { CreateWebhookDialog, describeEvents, WebhookActions, WebhookSecretDialog } from '../webhook-forms.tsx';

type Open = 'create' | { readonly secret: string } | null;

/** Where the events of the program are sent. */
export function Webhooks() {
  const [open, setOpen] = useState<Open>(null);
  const [version, setVersion] = useState(0);
  const refresh = (): void => setVersion((count) => count + 1);
  const close = (): void => setOpen(null);
  return (
    <>
      <PageHead title="Webhooks" lead="Signed messages to your own systems when something happens.">
        <a class="plain" href="/docs/guides/receive-webhooks">
          Read the guide
        </a>
        {isServed('post_webhooks') && (
          <button type="button" class="primary" onClick={() => setOpen('create')}>
            New webhook
          </button>
        )}
      </PageHead>
      <Card>
        <Table
          name="Webhooks"
          columns={listColumns(refresh)}
          load={({ page, per_page }) => api.webhooks.list({ page, per_page })}
          keys={[version]}
          keyOf={({ id }) => id}
          empty="There are no webhooks yet. Create one, and your bookkeeping or your chat gets a message for each order or payout."
        />
      </Card>
      {open === 'create' && <CreateWebhookDialog onCreated={refresh} onSecret={(secret) => setOpen({ secret })} onClose={close} />}
      {open !== null && open !== 'create' && <WebhookSecretDialog secret={open.secret} onClose={close} />}
    </>
  );
}

/** The page of a webhook has its deliveries. Where a site does not serve them, the list has the actions. */
const hasPages = (): boolean => isServed('get_webhooks_id_deliveries');

const listColumns = (onChanged: () => void): Column<Webhook>[] => [
  {
    title: 'Webhook',
    cell: ({ id, name, url }) => (
      <>
        <NameLink href={hasPages() ? `/console/webhooks/${id}` : null} name={name || url} />
        {name && (
          <p class="small quiet">
            <bdi class="text">{url}</bdi>
          </p>
        )}
      </>
    ),
    csv: ({ name, url }) => name || url,
    place: 'name',
  },
  { title: 'Address', cell: ({ url }) => url, csv: ({ url }) => url, isFileOnly: true },
  { title: 'Events', cell: ({ events }) => describeEvents(events), csv: ({ events }) => events.join(' '), place: 'detail' },
  { title: 'Status', cell: (webhook) => <Health of={webhook} />, csv: ({ status }) => status, place: 'value' },
  {
    title: 'Last delivery',
    cell: ({ last_delivery }) => (last_delivery === null ? 'Nothing sent yet' : formatDateTime(last_delivery)),
    csv: ({ last_delivery }) => last_delivery,
  },
  ...(hasPages()
    ? []
    : [
        {
          title: '',
          cell: (webhook: Webhook) => <WebhookActions webhook={webhook} onChanged={onChanged} onDeleted={onChanged} />,
        },
      ]),
];

/** Active, and whether deliveries arrive. */
export const Health = ({ of: { status, failures } }: { of: Webhook }) =>
  status === 'active' && failures > 0 ? (
    <Badge of={{ label: `${formatNumber(failures)} failed in a row`, tone: 'bad', meaning: 'The receiver did not accept them.' }} />
  ) : (
    <Badge of={webhookStatuses[status]} />
  );
