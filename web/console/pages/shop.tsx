import { useEffect, useState } from 'preact/hooks';
import { platformTitles, secretHints } from '../../../connectors/titles.ts';
import { filledFields } from '../affiliate-forms.tsx';
import { Badge, Card, CopyLine, Facts, Figure, Figures, Name, PageHead, Select } from '../components.tsx';
import { withConfirmedPassword } from '../confirm-password.tsx';
import { ActionDialog } from '../dialog.tsx';
import { TextField } from '../form.tsx';
import { formatDateTime, formatNumber } from '../format.ts';
import { hrefOfOrder, NameLink } from '../links.tsx';
import { describeNewest, Loaded, useLoad } from '../load.tsx';
import { connectionStatuses, notificationOutcomes, undelivered } from '../program-words.ts';
import type { StoreConnection, StoreNotification } from '../records.ts';
import { getQuery } from '../router.ts';
import { api, getMe, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';

type Platform = StoreConnection['platform'];

const platforms = Object.keys(platformTitles) as Platform[];

type OpenForm = 'connect' | 'secret' | 'disconnect' | null;

/** The connection to the shop: what to do there, its secret, and what it sends. */
export function Shop() {
  const [version, setVersion] = useState(0);
  const [open, setOpen] = useState<OpenForm>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [newest, setNewest] = useState<readonly StoreNotification[] | null>(null);
  const connections = useLoad(() => api.store.connections({ per_page: 1 }), [version]);
  const isLogServed = isServed('get_store_connections_id_deliveries');
  const close = (): void => setOpen(null);
  const refresh = (): void => setVersion((count) => count + 1);
  return (
    <>
      <PageHead title="Shop" lead="How orders come from your shop to this program." />
      <Loaded from={connections}>
        {({ items: [connection] }) =>
          connection && connection.status !== 'disconnected' ? (
            <div class="stack">
              {isLogServed && <Health id={connection.id} of={newest ?? []} />}
              <Connected connection={connection} hasDelivered={newest?.length !== 0} secret={secret} onOpen={setOpen} />
              {isLogServed && <Deliveries id={connection.id} onNewest={setNewest} />}
              {open === 'secret' && <SecretDialog connection={connection} onSecret={setSecret} onChanged={refresh} onClose={close} />}
              {open === 'disconnect' && <DisconnectDialog connection={connection} onChanged={refresh} onClose={close} />}
            </div>
          ) : (
            <Card title="No shop is connected">
              <p>Connect your shop, and its orders earn commission by themselves. Other shops send orders through the API.</p>
              <p class="actions">
                {isServed('post_store_connections') && (
                  <button type="button" class="primary" onClick={() => setOpen('connect')}>
                    Connect a shop
                  </button>
                )}
                <a class="plain" href="/docs/guides/connect-a-store">
                  Read the guide
                </a>
              </p>
            </Card>
          )
        }
      </Loaded>
      {open === 'connect' && <ConnectDialog onSecret={setSecret} onChanged={refresh} onClose={close} />}
    </>
  );
}

interface ConnectedProps {
  connection: StoreConnection;
  hasDelivered: boolean;
  /** The secret that was just made. It is never shown again. */
  secret: string | null;
  onOpen: (form: OpenForm) => void;
}

function Connected({ connection, hasDelivered, secret, onOpen }: ConnectedProps) {
  const { platform, status, date_created, api_url, last_pull, url, steps } = connection;
  return (
    <div class="columns">
      <Card title={connection.name || platformTitles[platform]}>
        <Facts
          of={[
            ['Platform', platformTitles[platform]],
            ['Status', <Badge of={status === 'active' && !hasDelivered ? undelivered : connectionStatuses[status]} />],
            ['Connected since', formatDateTime(date_created)],
            ...(api_url ? [['Orders are also read from', <Name>{api_url}</Name>] as const] : []),
            ...(last_pull ? [['Last read', formatDateTime(last_pull)] as const] : []),
          ]}
        />
        <p class="actions">
          {isServed('put_store_connections_id_secret') && (
            <button type="button" class={status === 'without_secret' ? 'primary' : 'plain'} onClick={() => onOpen('secret')}>
              {status === 'without_secret' ? 'Enter the secret' : 'Change the secret'}
            </button>
          )}
          {isServed('delete_store_connections_id') && (
            <button type="button" class="plain" onClick={() => onOpen('disconnect')}>
              Disconnect
            </button>
          )}
        </p>
      </Card>
      <Card title="What to do in the shop">
        <ol class="todo">
          {steps.map((step) => (
            <Step key={step} text={step} url={url} secret={/\b(a|the) secret/i.test(step) ? secret : null} />
          ))}
        </ol>
      </Card>
    </div>
  );
}

/** A step. The address of the connection is on a line of its own, to be copied, as is the secret in the step that needs it. */
const Step = ({ text, url, secret }: { text: string; url: string; secret: string | null }) => (
  <li>
    <Name>{text.replace(url, '').trim()}</Name>
    {text.includes(url) && <CopyLine text={url} label="Copy the address for the shop" />}
    {secret !== null && (
      <div class="notice">
        <p>The secret. Enter it in the shop now: it cannot be shown again.</p>
        <CopyLine text={secret} label="Copy the secret" />
      </div>
    )}
  </li>
);

interface FormProps {
  onChanged: () => void;
  onClose: () => void;
}

function ConnectDialog({ onSecret, onChanged, onClose }: FormProps & { onSecret: (secret: string | null) => void }) {
  const [platform, setPlatform] = useState(platforms[0] as Platform);
  const connect = async (form: FormData): Promise<void> => {
    const { secret } = await withConfirmedPassword(() => api.store.createConnection({ platform, ...filledFields(form) }));
    onSecret(secret);
    showToast('The shop is connected. Follow the steps to make it send.');
    onChanged();
  };
  return (
    <ActionDialog
      title="Connect a shop"
      action="Connect"
      onSubmit={connect}
      findResult={() => describeNewest(api.store.connections({ per_page: 1 }), describeConnection)}
      onClose={onClose}
    >
      <Select
        label="Platform"
        value={platform}
        options={platforms.map((value) => [value, platformTitles[value]] as const)}
        onChange={(value) => setPlatform(value as Platform)}
      />
      <TextField name="name" label="Name" maxLength={200} hint="A label for you." />
      <SecretField platform={platform} />
    </ActionDialog>
  );
}

const describeConnection = ({ platform, name, date_created, status }: StoreConnection): string =>
  `${name || platformTitles[platform]} of ${formatDateTime(date_created)}, ${connectionStatuses[status].label}. Reload the page to see it.`;

interface SecretDialogProps extends FormProps {
  connection: StoreConnection;
  onSecret: (secret: string | null) => void;
}

const SecretField = ({ platform }: { platform: Platform }) => (
  <TextField name="secret" label="Secret" minLength={8} maxLength={500} hint={secretHints[platform]} />
);

function SecretDialog({ connection, onSecret, onChanged, onClose }: SecretDialogProps) {
  const save = async (form: FormData): Promise<void> => {
    const { secret } = await withConfirmedPassword(() => api.store.replaceSecret(connection.id, filledFields(form)));
    onSecret(secret);
    showToast('The secret is changed. Only what is signed with it is accepted.');
    onChanged();
  };
  return (
    <ActionDialog title="Change the secret" action="Save" onSubmit={save} onClose={onClose}>
      <SecretField platform={connection.platform} />
    </ActionDialog>
  );
}

function DisconnectDialog({ connection, onChanged, onClose }: FormProps & { connection: StoreConnection }) {
  const disconnect = async (): Promise<void> => {
    await withConfirmedPassword(() => api.store.deleteConnection(connection.id));
    showToast('The shop is disconnected.');
    onChanged();
  };
  return (
    <ActionDialog title="Disconnect the shop?" action="Disconnect" isDangerous onSubmit={disconnect} onClose={onClose}>
      <p>Orders of the shop are refused from now on. What is recorded stays. Remove the webhooks in the shop, too.</p>
    </ActionDialog>
  );
}

const liveSeconds = 5;

/** What the shop sent, newest first. Follows by itself, so that a test order is seen. */
function Deliveries({ id, onNewest }: { id: string; onNewest: (rows: readonly StoreNotification[]) => void }) {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setVersion((count) => count + 1), liveSeconds * 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Card title="What the shop sent" actions={<Badge of={{ label: 'Live', tone: 'good', meaning: 'New entries appear by themselves.' }} />}>
      <Table
        name="Deliveries of the shop"
        columns={columns}
        load={({ page, per_page }) => api.store.deliveries(id, { page, per_page })}
        keys={[id, version]}
        keyOf={({ id }) => id}
        perPage={healthEntries}
        onRows={(rows) => getQuery('page') === '' && onNewest(rows)}
        empty="Nothing yet. Place a test order in the shop with the coupon code of an affiliate: it appears here within seconds."
      />
    </Card>
  );
}

/** The health is read from the first page of the list. */
const healthEntries = 50;

/** Whether the connection works, from its newest entries, and whether clicks are lost. */
function Health({ id, of }: { id: string; of: readonly StoreNotification[] }) {
  const [last] = of;
  const unknown = useLoad(() => api.store.deliveries(id, { per_page: 1, unknown_visitor: true }), [id, last?.id]);
  const since = dayAgo();
  const recent = of.filter(({ date }) => date > since);
  const refused = recent.filter(({ outcome }) => outcome === 'refused').length;
  const more = recent.length === healthEntries ? '+' : '';
  return (
    <Figures>
      <Figure
        name="Last delivery"
        value={last ? formatDateTime(last.date) : 'None yet'}
        note={last ? notificationOutcomes[last.outcome].label : 'Place a test order.'}
      />
      <Figure name="In the last 24 hours" value={`${formatNumber(recent.length)}${more}`} note="deliveries" />
      <Figure
        name="Errors in 24 hours"
        value={refused === 0 ? '0' : <span class="bad">{formatNumber(refused)}</span>}
        note={refused === 0 ? 'Nothing was refused.' : 'See the reasons below.'}
      />
      <Figure
        name="Unknown visitors in 30 days"
        value={unknown.value ? formatNumber(unknown.value.total) : '–'}
        note="Without a known click, their orders earn no commission."
      />
    </Figures>
  );
}

/** In the local time of the store, as the API writes it. */
const dayAgo = (): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: getMe().timezone, dateStyle: 'short', timeStyle: 'medium' })
    .format(Date.now() - 86_400_000)
    .replace(' ', 'T');

const columns: readonly Column<StoreNotification>[] = [
  {
    title: 'Order',
    cell: ({ order_id }) => (order_id === null ? '–' : <NameLink href={hrefOfOrder(order_id)} name={`#${order_id}`} />),
    csv: ({ order_id }) => order_id,
    place: 'name',
  },
  { title: 'Time', cell: ({ date }) => formatDateTime(date), csv: ({ date }) => date, place: 'detail' },
  { title: 'About', cell: ({ topic }) => <Name>{topic}</Name>, csv: ({ topic }) => topic },
  { title: 'Outcome', cell: ({ outcome }) => <Badge of={notificationOutcomes[outcome]} />, csv: ({ outcome }) => outcome, place: 'value' },
  { title: 'Reason', cell: ({ reason }) => <bdi class="text">{reason ?? ''}</bdi>, csv: ({ reason }) => reason, place: 'detail' },
];
