import { ActionDialog } from './dialog.tsx';
import { TextField } from './form.tsx';
import { RefusedRecord } from './load.tsx';
import type { AffiliateDetail } from './records.ts';
import { api } from './session.ts';

/** Changes what the store has about an affiliate. The login stays: it names the person. */
export function EditAffiliate({ affiliate, onSaved, onClose }: { affiliate: AffiliateDetail; onSaved: () => void; onClose: () => void }) {
  const { user, profile } = affiliate;
  const save = async (form: FormData): Promise<void> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const change = {
      login: user.login ?? '',
      email: text('email'),
      display_name: text('display_name'),
      profile: { website: text('website'), phone: text('phone'), promote: text('promote') },
    };
    const [outcome] = await api.store.affiliates([change]);
    if (outcome?.outcome === 'refused') throw new RefusedRecord(outcome.reason ?? 'The change was refused.');
    onSaved();
  };
  return (
    <ActionDialog title={`Edit ${user.display_name}`} action="Save" onSubmit={save} onClose={onClose}>
      <TextField name="display_name" label="Name" required maxLength={250} defaultValue={user.display_name} />
      <TextField name="email" label="E-mail" type="email" required maxLength={254} defaultValue={user.email ?? ''} />
      <TextField name="website" label="Website" maxLength={5000} defaultValue={profile.website} />
      <TextField name="phone" label="Telephone" type="tel" maxLength={100} defaultValue={profile.phone} />
      <TextField name="promote" label="How they promote" maxLength={5000} defaultValue={profile.promote} />
    </ActionDialog>
  );
}
