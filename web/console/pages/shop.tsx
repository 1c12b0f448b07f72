import { useEffect, useState } from 'preact/hooks';
import { platformTitles } from '../../../connectors/titles.ts';
import { Badge, Card, CopyButton, Facts, Name, PageHead, Select } from '../components.tsx';
import { withConfirmedPassword } from '../confirm-password.tsx';
import { ActionDialog } from '../dialog.tsx';
import { TextField } from '../form.tsx';
import { formatDateTime } from '../format.ts';
import { hrefOfOrder, NameLink } from '../links.tsx';
import { Loaded, useLoad } from '../load.tsx';
import { connectionStatuses, notificationOutcomes } from '../program-words.ts';
import type { StoreConnection, StoreNotification } from '../records.ts';
import { api, isServed } from '../session.ts';
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
  const connections = useLoad(() => api.store.connections({ per_page: 1 }), [version]);
  const close = (): void => setOpen(null);
  const refresh = (): void => setVersion((count) => count + 1);
  return (
    <>
      <PageHead title="Shop" lead="How orders come from your shop to this program." />
      <Loaded from={connections}>
        {({ items: [connection] }) =>
          connection && connection.status !== 'disconnected' ? (
            <div class="stack">
              <Connected connection={connection} secret={secret} onOpen={setOpen} />
              {isServed('get_store_connections_id_deliveries') && <Deliveries id={connection.id} />}
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
  /** The secret that was just made. It is never shown again. */
  secret: string | null;
  onOpen: (form: OpenForm) => void;
}

const Connected = ({ connection, secret, onOpen }: ConnectedProps) => (
  <div class="columns">
    <Card title={connection.name || platformTitles[connection.platform]}>
      <Facts
        of={[
          ['Platform', platformTitles[connection.platform]],
          ['Status', <Badge of={connectionStatuses[connection.status]} />],
          ['Connected', formatDateTime(connection.date_created)],
          ...(connection.api_url ? [['Orders are also read from', <Name>{connection.api_url}</Name>] as const] : []),
        ]}
      />
      <p class="actions">
        {isServed('put_store_connections_id_secret') && (
          <button type="button" class="plain" onClick={() => onOpen('secret')}>
            {connection.status === 'without_secret' ? 'Enter the secret' : 'Change the secret'}
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
        {connection.steps.map((step) => (
          <li key={step}>
            <Name>{step}</Name>
          </li>
        ))}
      </ol>
      <p class="copy-line">
        <code>{connection.url}</code>
        <CopyButton text={connection.url} label="Copy the address for the shop" />
      </p>
      {secret !== null && (
        <div class="notice">
          <p>The secret. Enter it in the shop now: it cannot be shown again.</p>
          <p class="copy-line">
            <code>{secret}</code>
            <CopyButton text={secret} label="Copy the secret" />
          </p>
        </div>
      )}
    </Card>
  </div>
);

interface FormProps {
  onChanged: () => void;
  onClose: () => void;
}

function ConnectDialog({ onSecret, onChanged, onClose }: FormProps & { onSecret: (secret: string | null) => void }) {
  const [platform, setPlatform] = useState(platforms[0] as Platform);
  const connect = async (form: FormData): Promise<void> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const request = { platform, name: text('name'), ...(text('secret') && { secret: text('secret') }) };
    const { secret } = await withConfirmedPassword(() => api.store.createConnection(request));
    onSecret(secret);
    showToast('The shop is connected. Follow the steps to make it send.');
    onChanged();
  };
  return (
    <ActionDialog title="Connect a shop" action="Connect" onSubmit={connect} onClose={onClose}>
      <Select
        label="Platform"
        value={platform}
        options={platforms.map((value) => [value, platformTitles[value]] as const)}
        onChange={(value) => setPlatform(value as Platform)}
      />
      <TextField name="name" label="Name" maxLength={200} hint="A label for you." />
      <SecretField />
    </ActionDialog>
  );
}

interface SecretDialogProps extends FormProps {
  connection: StoreConnection;
  onSecret: (secret: string | null) => void;
}

/** Shopify has a secret of its own; for WooCommerce one is made. */
const SecretField = () => (
  <TextField
    name="secret"
    label="Secret"
    minLength={8}
    maxLength={500}
    hint="Shopify shows it under Settings, Notifications, Webhooks. For WooCommerce leave it empty: a new one is made, which you enter there."
  />
);

function SecretDialog({ connection, onSecret, onChanged, onClose }: SecretDialogProps) {
  const save = async (form: FormData): Promise<void> => {
    const given = String(form.get('secret') ?? '').trim();
    const { secret } = await withConfirmedPassword(() => api.store.replaceSecret(connection.id, given ? { secret: given } : {}));
    onSecret(secret);
    showToast('The secret is changed. Only what is signed with it is accepted.');
    onChanged();
  };
  return (
    <ActionDialog title="Change the secret" action="Save" onSubmit={save} onClose={onClose}>
      <SecretField />
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
function Deliveries({ id }: { id: string }) {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setVersion((count) => count + 1), liveSeconds * 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Card title="What the shop sent">
      <Table
        name="Deliveries of the shop"
        columns={columns}
        load={({ page, per_page }) => api.store.deliveries(id, { page, per_page })}
        keys={[id, version]}
        keyOf={({ date, topic, order_id, outcome }) => [date, topic, order_id, outcome].join(' ')}
        empty="Nothing yet. Place a test order in the shop with the coupon code of an affiliate: it appears here within seconds."
      />
    </Card>
  );
}

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
  { title: 'Reason', cell: ({ reason }) => <Name>{reason ?? ''}</Name>, csv: ({ reason }) => reason, place: 'detail' },
];
