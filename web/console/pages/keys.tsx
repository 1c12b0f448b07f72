import { useState } from 'preact/hooks';
import { Badge, Card, CopyButton, Field, Name, PageHead } from '../components.tsx';
import { ActionDialog, Dialog } from '../dialog.tsx';
import { formatDate, formatDateTime, today } from '../format.ts';
import { StatusFilter } from '../lists.tsx';
import { keyStatuses, scopes } from '../program-words.ts';
import type { Key, Scope } from '../records.ts';
import { getChoice } from '../router.ts';
import { api, getMe, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';

type Open = 'create' | { readonly revoked: Key } | { readonly token: string } | null;

/** Credentials of programs that call the API. */
export function Keys() {
  const [open, setOpen] = useState<Open>(null);
  const [version, setVersion] = useState(0);
  const refresh = (): void => setVersion((count) => count + 1);
  const close = (): void => setOpen(null);
  const status = getChoice('status', keyStatuses);
  const filter = status ? { status } : {};
  return (
    <>
      <PageHead title="API keys" lead="With a key, a program calls the API as a user.">
        {isServed('post_keys') && (
          <button type="button" class="primary" onClick={() => setOpen('create')}>
            New key
          </button>
        )}
      </PageHead>
      <Card>
        <div class="filters">
          <StatusFilter label="Key status" statuses={keyStatuses} />
        </div>
        <Table
          name="API keys"
          columns={listColumns((revoked) => setOpen({ revoked }))}
          load={({ page, per_page }) => api.keys.list({ page, per_page, ...filter })}
          keys={[status, version]}
          keyOf={({ id }) => id}
          empty="There are no keys with this status."
        />
      </Card>
      {open === 'create' && <CreateDialog onCreated={refresh} onToken={(token) => setOpen({ token })} onClose={close} />}
      {open !== null && open !== 'create' && 'token' in open && (
        <Dialog title="The key is created" onClose={close}>
          <p>Store it now: it cannot be shown again.</p>
          <p class="copy-line">
            <code>{open.token}</code>
            <CopyButton text={open.token} label="Copy the key" />
          </p>
          <p>
            Send it with each call: <code>Authorization: Bearer svc_…</code>. The <a href="/docs">API reference</a> can try it.
          </p>
        </Dialog>
      )}
      {open !== null && open !== 'create' && 'revoked' in open && (
        <ActionDialog
          title="Revoke the key?"
          action="Revoke"
          isDangerous
          onClose={close}
          onSubmit={async () => {
            await api.keys.delete(open.revoked.id);
            refresh();
          }}
        >
          <p>
            Programs that use <code>{open.revoked.key_prefix}…</code> <Name>{open.revoked.description}</Name> cannot call any more. This
            cannot be undone.
          </p>
        </ActionDialog>
      )}
    </>
  );
}

const listColumns = (onRevoke: (key: Key) => void): Column<Key>[] => [
  { title: 'Key', cell: ({ key_prefix }) => <code>{key_prefix}…</code>, csv: ({ key_prefix }) => key_prefix, place: 'detail' },
  { title: 'Description', cell: ({ description }) => <Name>{description}</Name>, csv: ({ description }) => description, place: 'name' },
  { title: 'Acts as', cell: ({ user }) => <Name>{user.display_name}</Name>, csv: ({ user }) => user.display_name },
  { title: 'Scopes', cell: (key) => key.scopes.join(', '), csv: (key) => key.scopes.join(' ') },
  { title: 'Status', cell: ({ status }) => <Badge of={keyStatuses[status]} />, csv: ({ status }) => status, place: 'value' },
  { title: 'Last used', cell: ({ last_used }) => formatDateTime(last_used), csv: ({ last_used }) => last_used },
  { title: 'Expires', cell: ({ date_expires }) => formatDate(date_expires), csv: ({ date_expires }) => date_expires },
  {
    title: '',
    cell: (key) =>
      key.status === 'active' &&
      isServed('delete_keys_id') && (
        <button type="button" class="plain" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.description || key.key_prefix}`}>
          Revoke
        </button>
      ),
  },
];

function CreateDialog({ onCreated, onToken, onClose }: { onCreated: () => void; onToken: (token: string) => void; onClose: () => void }) {
  const { user } = getMe();
  let token = '';
  const create = async (form: FormData): Promise<void> => {
    const [userId, expires] = [Number(form.get('user_id')), String(form.get('expires') ?? '')];
    const request = {
      description: String(form.get('description') ?? ''),
      scopes: form.getAll('scopes') as Scope[],
      ...(userId > 0 && { user_id: userId }),
      ...(expires && { expires }),
    };
    ({ token } = await api.keys.create(request));
    onCreated();
  };
  return (
    <ActionDialog title="New key" action="Create" onSubmit={create} onClose={() => (token ? onToken(token) : onClose())}>
      <Field label="Description" hint="What the key is for, so that you can find it again.">
        {(id) => <input id={id} name="description" maxLength={200} required />}
      </Field>
      <fieldset>
        <legend>Scopes: what it may do</legend>
        {Object.entries(scopes).map(([scope, meaning]) => (
          <label key={scope} class="check">
            <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'read'} />
            {meaning}
          </label>
        ))}
      </fieldset>
      <Field label="User id" hint={`The key acts as this user. Yours is ${user.id}.`}>
        {(id) => <input id={id} name="user_id" type="number" min={1} defaultValue={user.id} />}
      </Field>
      <Field label="Last day" hint="Leave it empty for a key that does not expire.">
        {(id) => <input id={id} name="expires" type="date" min={today()} />}
      </Field>
    </ActionDialog>
  );
}
