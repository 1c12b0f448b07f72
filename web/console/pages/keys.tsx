import { useState } from 'preact/hooks';
import { AffiliateField, filledFields } from '../affiliate-forms.tsx';
import { Badge, Card, CopyLine, Facts, Field, Name, PageHead } from '../components.tsx';
import { withConfirmedPassword } from '../confirm-password.tsx';
import { ActionDialog, Dialog } from '../dialog.tsx';
import { formatDate, formatDateTime, today } from '../format.ts';
import { StatusFilter } from '../lists.tsx';
import { describeNewest } from '../load.tsx';
import { keyStatuses, scopes } from '../program-words.ts';
import type { Key, Scope } from '../records.ts';
import { getChoice } from '../router.ts';
import { api, isServed } from '../session.ts';
import { type Column, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';

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
      <PageHead title="API keys" lead="Other software uses a key to act for a person.">
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
          empty={status ? 'There are no keys with this status.' : 'There are no keys yet. Create one for each program that needs access.'}
        />
      </Card>
      {open === 'create' && <CreateDialog onCreated={refresh} onToken={(token) => setOpen({ token })} onClose={close} />}
      {open !== null && open !== 'create' && 'token' in open && (
        <Dialog title="The key is created" onClose={close}>
          <p class="notice">Store it now, where your program reads it: it cannot be shown again.</p>
          <CopyLine text={open.token} label="Copy the key" />
          <p>
            Send it with each call: <code>Authorization: Bearer svc_…</code>. The <a href="/docs">API reference</a> can try it.
          </p>
          <p class="actions">
            <button type="button" class="primary" onClick={close}>
              Done
            </button>
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
            await withConfirmedPassword(() => api.keys.delete(open.revoked.id));
            showToast('The key is revoked.');
            refresh();
          }}
        >
          <p>
            <b>
              <Name>{open.revoked.description || open.revoked.key_prefix}</Name>
            </b>{' '}
            stops working at once. A program that still uses it is refused. This cannot be undone; create a new key instead.
          </p>
          <Facts
            of={[
              ['Key', <code>{open.revoked.key_prefix}…</code>],
              ['Acts as', <Name>{open.revoked.user.display_name}</Name>],
              ['Last used', open.revoked.last_used === null ? 'Never' : formatDateTime(open.revoked.last_used)],
            ]}
          />
        </ActionDialog>
      )}
    </>
  );
}

const listColumns = (onRevoke: (key: Key) => void): Column<Key>[] => [
  {
    title: 'Key',
    cell: ({ description, key_prefix }) => (
      <>
        <b>
          <Name>{description || 'Without a description'}</Name>
        </b>
        <p class="small quiet">
          <code>{key_prefix}…</code>
        </p>
      </>
    ),
    csv: ({ description }) => description,
    place: 'name',
  },
  { title: 'Prefix', cell: ({ key_prefix }) => key_prefix, csv: ({ key_prefix }) => key_prefix, isFileOnly: true },
  {
    title: 'Acts as',
    cell: ({ user }) => <Name>{user.display_name}</Name>,
    csv: ({ user }) => user.display_name,
    place: 'detail',
  },
  {
    title: 'Can',
    cell: (key) => (
      <span title={key.scopes.map((scope) => scopes[scope].meaning).join(' ')}>
        {key.scopes.map((scope) => scopes[scope].may).join(', ')}
      </span>
    ),
    csv: (key) => key.scopes.join(' '),
    place: 'detail',
  },
  { title: 'Status', cell: ({ status }) => <Badge of={keyStatuses[status]} />, csv: ({ status }) => status, place: 'value' },
  {
    title: 'Last used',
    cell: ({ last_used }) => (last_used === null ? 'Never' : formatDateTime(last_used)),
    csv: ({ last_used }) => last_used,
  },
  {
    title: 'Expires',
    cell: ({ date_expires }) => (date_expires === null ? 'Never' : formatDate(date_expires)),
    csv: ({ date_expires }) => date_expires,
    isOptional: true,
  },
  {
    title: '',
    cell: (key) =>
      key.status === 'active' &&
      isServed('delete_keys_id') && (
        <div class="actions">
          <button type="button" class="plain" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.description || key.key_prefix}`}>
            Revoke
          </button>
        </div>
      ),
  },
];

const describeKey = ({ description, key_prefix, date_created }: Key): string =>
  `“${description}” (${key_prefix}…) of ${formatDateTime(date_created)}. Revoke it: its text was lost.`;

function CreateDialog({ onCreated, onToken, onClose }: { onCreated: () => void; onToken: (token: string) => void; onClose: () => void }) {
  let token = '';
  const create = async (form: FormData): Promise<void> => {
    const { user_id: userId, ...fields } = filledFields(form);
    const request = { ...fields, scopes: form.getAll('scopes') as Scope[], ...(Number(userId) > 0 && { user_id: Number(userId) }) };
    ({ token } = await withConfirmedPassword(() => api.keys.create(request)));
    onCreated();
  };
  return (
    <ActionDialog
      title="New key"
      action="Create"
      onSubmit={create}
      findResult={async () => {
        const newest = await describeNewest(api.keys.list({ per_page: 1 }), describeKey);
        onCreated();
        return newest;
      }}
      onClose={() => (token ? onToken(token) : onClose())}
    >
      <Field label="Description" hint="What the key is for.">
        {(id) => <input id={id} name="description" maxLength={200} required />}
      </Field>
      <fieldset>
        <legend>What it may do</legend>
        {Object.entries(scopes).map(([scope, { label, meaning }]) => (
          <label key={scope} class="check">
            <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'read'} />
            <span>
              <b>{label}.</b> {meaning}
            </span>
          </label>
        ))}
        <p class="hint">Never more than the person may do.</p>
      </fieldset>
      {isServed('get_affiliates') && (
        <AffiliateField name="user_id" label="Acts as" hint="Empty: you." valueFrom={({ id }) => String(id)} />
      )}
      <Field label="Last day" hint="Leave it empty for a key that does not expire.">
        {(id) => <input id={id} name="expires" type="date" min={today()} />}
      </Field>
    </ActionDialog>
  );
}
