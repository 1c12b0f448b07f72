import { useState } from 'preact/hooks';
import { isApiError } from '../../client/src/index.ts';
import { CopyButton, CopyLine, Name } from './components.tsx';
import { ActionDialog, Dialog } from './dialog.tsx';
import { TextField } from './form.tsx';
import { formatDateTime } from './format.ts';
import { describeError, describeNewest, Loaded, useLoad } from './load.tsx';
import { eventGroups, nameEvent } from './program-words.ts';
import type { Webhook } from './records.ts';
import { api, isServed } from './session.ts';
import { showToast } from './toast.tsx';

const isAllEvents = (events: readonly string[]): boolean => events[0] === '*';

/** The events in words, the first of a long list only. */
export function describeEvents(events: readonly string[], shown = 2): string {
  if (isAllEvents(events)) return 'All events';
  const names = events.map(nameEvent);
  return names.length > shown + 1 ? `${names.slice(0, shown).join(', ')} and ${names.length - shown} more` : names.join(', ');
}

/** All events, or some of the catalog in groups. Their names are the fields `events` of the form. */
function EventChoice({ events }: { events: readonly string[] }) {
  const [isAll, setAll] = useState(isAllEvents(events));
  const catalog = useLoad(() => api.webhooks.events({ per_page: 100 }), []);
  return (
    <fieldset>
      <legend>Events</legend>
      <label class="check">
        <input type="radio" name="which" value="all" checked={isAll} onChange={() => setAll(true)} />
        All events, also those of later versions
      </label>
      <label class="check">
        <input type="radio" name="which" value="some" checked={!isAll} onChange={() => setAll(false)} />
        Only these
      </label>
      {!isAll && (
        <Loaded from={catalog}>
          {({ items }) => (
            <div class="choices">
              {Object.entries(eventGroups).map(([group, pattern]) => (
                <fieldset key={group}>
                  <legend>{group}</legend>
                  {items
                    .filter(({ event }) => pattern.test(event))
                    .map(({ event }) => (
                      <label key={event} class="check">
                        <input type="checkbox" name="events" value={event} defaultChecked={events.includes(event)} />
                        <span>
                          {nameEvent(event)} <code>{event}</code>
                        </span>
                      </label>
                    ))}
                </fieldset>
              ))}
            </div>
          )}
        </Loaded>
      )}
    </fieldset>
  );
}

const chosenEvents = (form: FormData): string[] => (form.get('which') === 'all' ? ['*'] : form.getAll('events').map(String));

interface CreateProps {
  onCreated: () => void;
  onSecret: (secret: string) => void;
  onClose: () => void;
}

const describeWebhook = ({ name, url, date_created }: Webhook): string =>
  `${name || 'without a name'}, ${url}, of ${formatDateTime(date_created)}. Delete it: its secret was lost.`;

export function CreateWebhookDialog({ onCreated, onSecret, onClose }: CreateProps) {
  let secret = '';
  const create = async (form: FormData): Promise<void> => {
    const request = { name: String(form.get('name')), url: String(form.get('url')), events: chosenEvents(form) };
    ({ secret } = await api.webhooks.create(request));
    onCreated();
  };
  return (
    <ActionDialog
      title="New webhook"
      action="Create"
      onSubmit={create}
      findResult={async () => {
        const newest = await describeNewest(api.webhooks.list({ per_page: 1 }), describeWebhook);
        onCreated();
        return newest;
      }}
      onClose={() => (secret ? onSecret(secret) : onClose())}
    >
      <TextField name="name" label="Name" maxLength={100} hint="A label for you, such as Bookkeeping." />
      <TextField name="url" label="Address" type="url" required hint="Where your system receives events: HTTPS, on a public address." />
      <EventChoice events={['*']} />
    </ActionDialog>
  );
}

const sample = `import { verifyWebhook } from 'affiliate-program-client';

export async function POST(request) {
  const delivery = await verifyWebhook(request, process.env.WEBHOOK_SECRET);
  console.log(delivery.event, delivery.data);
  return new Response(null, { status: 204 });
}`;

export const WebhookSecretDialog = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog title="The webhook is created" onClose={onClose}>
    <p>This secret verifies that a message comes from this site. Store it now: it cannot be shown again.</p>
    <CopyLine text={secret} label="Copy the secret" />
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

interface WebhookActionsProps {
  webhook: Webhook;
  onChanged: () => void;
  onDeleted: () => void;
}

/** What can be done with one webhook. */
export function WebhookActions({ webhook, onChanged, onDeleted }: WebhookActionsProps) {
  const [open, setOpen] = useState<'events' | 'delete' | null>(null);
  const [isTesting, setTesting] = useState(false);
  const title = webhook.name || webhook.url;
  const isActive = webhook.status === 'active';
  const test = async (): Promise<void> => {
    setTesting(true);
    showToast(await api.webhooks.test(webhook.id).then(describeTest, describeFailure));
    setTesting(false);
    onChanged();
  };
  const switchStatus = async (): Promise<void> => {
    await api.webhooks.update(webhook.id, { status: isActive ? 'disabled' : 'active' }).catch((error) => showToast(describeError(error)));
    onChanged();
  };
  const saveEvents = async (form: FormData): Promise<void> => {
    await api.webhooks.update(webhook.id, { events: chosenEvents(form) });
    showToast('The events are changed. They apply to what happens from now on.');
    onChanged();
  };
  const remove = async (): Promise<void> => {
    await api.webhooks.delete(webhook.id);
    showToast('The webhook is deleted.');
    onDeleted();
  };
  const close = (): void => setOpen(null);
  return (
    <div class="actions">
      {isServed('patch_webhooks_id') && (
        <>
          <button type="button" class="plain" aria-label={`Choose events of ${title}`} onClick={() => setOpen('events')}>
            Choose events
          </button>
          <button type="button" class="plain" aria-label={`${isActive ? 'Disable' : 'Activate'} ${title}`} onClick={switchStatus}>
            {isActive ? 'Disable' : 'Activate'}
          </button>
        </>
      )}
      {isServed('delete_webhooks_id') && (
        <button type="button" class="plain" aria-label={`Delete ${title}`} onClick={() => setOpen('delete')}>
          Delete
        </button>
      )}
      {isServed('post_webhooks_id_test') && (
        <button
          type="button"
          class="primary"
          aria-label={isTesting ? undefined : `Send a test to ${title}`}
          disabled={isTesting}
          onClick={test}
        >
          {isTesting ? 'Sending …' : 'Send a test'}
        </button>
      )}
      {open === 'events' && (
        <ActionDialog title="Choose events" action="Save" onSubmit={saveEvents} onClose={close}>
          <EventChoice events={webhook.events} />
          <p class="small quiet">Address and secret stay. To change them, create a new webhook and delete this one.</p>
        </ActionDialog>
      )}
      {open === 'delete' && (
        <ActionDialog title="Delete the webhook?" action="Delete" isDangerous onSubmit={remove} onClose={close}>
          <p>
            <Name>{title}</Name> gets nothing any more. What waits for it is dropped, and its secret is lost.
          </p>
        </ActionDialog>
      )}
    </div>
  );
}

const describeTest = ({ code }: { code: number }): string =>
  code >= 200 && code < 300
    ? `The receiver answered with ${code}: it works.`
    : `The receiver answered with ${code}. It must answer with 200 to 299.`;

const describeFailure = (error: unknown): string =>
  isApiError(error, 'svc_api_delivery_failed') ? `The receiver cannot be reached. ${error.message}` : describeError(error);
