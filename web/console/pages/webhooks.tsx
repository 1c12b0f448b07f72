import { useState } from 'preact/hooks';
import { isApiError } from '../../../client/src/index.ts';
import { Badge, Card, CopyButton, Field, Name, PageHead } from '../components.tsx';
import { ActionDialog, Dialog } from '../dialog.tsx';
import { formatDateTime, formatNumber } from '../format.ts';
import { NameLink } from '../links.tsx';
import { describeError, Loaded, useLoad } from '../load.tsx';
import { webhookStatuses } from '../program-words.ts';
import type { Webhook } from '../records.ts';
import { api, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';

type Open = 'create' | { readonly deleted: Webhook } | { readonly secret: string } | null;

/** Where the events of the program are sent. */
export function Webhooks() {
  const [open, setOpen] = useState<Open>(null);
  const [version, setVersion] = useState(0);
  const [notes, setNotes] = useState<ReadonlyMap<number, string>>(new Map());
  const refresh = (): void => setVersion((count) => count + 1);
  const note = (id: number, text: string): void => setNotes((all) => new Map(all).set(id, text));
  const test = async ({ id }: Webhook): Promise<void> => {
    note(id, 'Sending a test …');
    note(id, await api.webhooks.test(id).then(describeTest, describeFailure));
    refresh();
  };
  const setStatus = async ({ id }: Webhook, status: Webhook['status']): Promise<void> => {
    await api.webhooks.update(id, { status }).then(
      () => note(id, ''),
      (error) => note(id, describeError(error)),
    );
    refresh();
  };
  return (
    <>
      <PageHead title="Webhooks" lead="Signed messages to your own systems when something happens.">
        {isServed('post_webhooks') && (
          <button type="button" class="primary" onClick={() => setOpen('create')}>
            New webhook
          </button>
        )}
      </PageHead>
      <Card>
        <Table
          name="Webhooks"
          columns={listColumns({ onTest: test, onStatus: setStatus, onDelete: (deleted) => setOpen({ deleted }) })}
          load={({ page, per_page }) => api.webhooks.list({ page, per_page })}
          keys={[version]}
          keyOf={({ id }) => id}
          noteOf={({ id }) => notes.get(id) && <p role="status">{notes.get(id)}</p>}
          empty="There are no webhooks yet."
        />
      </Card>
      {open === 'create' && <CreateDialog onCreated={refresh} onSecret={(secret) => setOpen({ secret })} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'create' && 'secret' in open && <SecretDialog secret={open.secret} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'create' && 'deleted' in open && (
        <ActionDialog
          title="Delete the webhook?"
          action="Delete"
          isDangerous
          onClose={() => setOpen(null)}
          onSubmit={async () => {
            await api.webhooks.delete(open.deleted.id);
            refresh();
          }}
        >
          <p>
            <Name>{open.deleted.name || open.deleted.url}</Name> gets nothing any more, and its secret is lost.
          </p>
        </ActionDialog>
      )}
    </>
  );
}

const describeTest = ({ code }: { code: number }): string =>
  code >= 200 && code < 300
    ? `The receiver answered with ${code}: it works.`
    : `The receiver answered with ${code}. It must answer with 200 to 299.`;

const describeFailure = (error: unknown): string =>
  isApiError(error, 'svc_api_delivery_failed') ? `The receiver cannot be reached. ${error.message}` : describeError(error);

interface RowActions {
  onTest: (webhook: Webhook) => Promise<void>;
  onStatus: (webhook: Webhook, status: Webhook['status']) => Promise<void>;
  onDelete: (webhook: Webhook) => void;
}

const listColumns = ({ onTest, onStatus, onDelete }: RowActions): Column<Webhook>[] => [
  {
    title: 'Name',
    cell: ({ id, name, url }) => (
      <NameLink href={isServed('get_webhooks_id_deliveries') ? `/console/webhooks/${id}` : null} name={name || url} />
    ),
    csv: ({ name }) => name,
    place: 'name',
  },
  { title: 'Address', cell: ({ url }) => <Name>{url}</Name>, csv: ({ url }) => url, place: 'detail' },
  { title: 'Events', cell: ({ events }) => (events[0] === '*' ? 'all' : events.join(', ')), csv: ({ events }) => events.join(' ') },
  { title: 'Status', cell: ({ status }) => <Badge of={webhookStatuses[status]} />, csv: ({ status }) => status, place: 'value' },
  {
    title: 'Last delivery',
    cell: ({ last_delivery, failures, last_error }) => (
      <>
        {formatDateTime(last_delivery)}
        {failures > 0 && <span class="bad"> {formatNumber(failures)} failed in a row</span>}
        {last_error && <Name>{` ${last_error}`}</Name>}
      </>
    ),
    csv: ({ last_delivery }) => last_delivery,
  },
  {
    title: '',
    cell: (webhook) => (
      <div class="actions">
        {isServed('post_webhooks_id_test') && (
          <button type="button" class="plain" onClick={() => onTest(webhook)} aria-label={`Test ${webhook.name || webhook.url}`}>
            Test
          </button>
        )}
        {isServed('patch_webhooks_id') && (
          <button
            type="button"
            class="plain"
            onClick={() => onStatus(webhook, webhook.status === 'active' ? 'disabled' : 'active')}
            aria-label={`${webhook.status === 'active' ? 'Disable' : 'Activate'} ${webhook.name || webhook.url}`}
          >
            {webhook.status === 'active' ? 'Disable' : 'Activate'}
          </button>
        )}
        {isServed('delete_webhooks_id') && (
          <button type="button" class="plain" onClick={() => onDelete(webhook)} aria-label={`Delete ${webhook.name || webhook.url}`}>
            Delete
          </button>
        )}
      </div>
    ),
  },
];

function CreateDialog({
  onCreated,
  onSecret,
  onClose,
}: {
  onCreated: () => void;
  onSecret: (secret: string) => void;
  onClose: () => void;
}) {
  const [isAll, setAll] = useState(true);
  const catalog = useLoad(() => api.webhooks.events({ per_page: 100 }), []);
  let secret = '';
  const create = async (form: FormData): Promise<void> => {
    const events = isAll ? ['*'] : form.getAll('events').map(String);
    ({ secret } = await api.webhooks.create({ name: String(form.get('name')), url: String(form.get('url')), events }));
    onCreated();
  };
  return (
    <ActionDialog title="New webhook" action="Create" onSubmit={create} onClose={() => (secret ? onSecret(secret) : onClose())}>
      <Field label="Name">{(id) => <input id={id} name="name" maxLength={100} placeholder="Bookkeeping" />}</Field>
      <Field label="Address" hint="HTTPS, on a public address.">
        {(id) => <input id={id} name="url" type="url" required placeholder="https://" />}
      </Field>
      <fieldset>
        <legend>Events</legend>
        <label class="check">
          <input type="radio" name="which" checked={isAll} onChange={() => setAll(true)} />
          All events, also those of later versions
        </label>
        <label class="check">
          <input type="radio" name="which" checked={!isAll} onChange={() => setAll(false)} />
          Only these
        </label>
        {!isAll && (
          <Loaded from={catalog}>
            {({ items }) => (
              <div class="choices">
                {items.map(({ event, description }) => (
                  <label key={event} class="check">
                    <input type="checkbox" name="events" value={event} />
                    <span>
                      {description} <code>{event}</code>
                    </span>
                  </label>
                ))}
              </div>
            )}
          </Loaded>
        )}
      </fieldset>
    </ActionDialog>
  );
}

const sample = `import { verifyWebhook } from 'affiliate-program-client';

export async function POST(request) {
  const delivery = await verifyWebhook(request, process.env.WEBHOOK_SECRET);
  console.log(delivery.event, delivery.data);
  return new Response(null, { status: 204 });
}`;

const SecretDialog = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog title="The webhook is created" onClose={onClose}>
    <p>This secret verifies that a message comes from this site. Store it now: it cannot be shown again.</p>
    <p class="copy-line">
      <code>{secret}</code>
      <CopyButton text={secret} label="Copy the secret" />
    </p>
    <p>To verify a message:</p>
    <pre>{sample}</pre>
    <p class="actions">
      <CopyButton text={sample} label="Copy the code" />
      <button type="button" class="primary" onClick={onClose}>
        Done
      </button>
    </p>
  </Dialog>
);
