import { useEffect, useState } from 'preact/hooks';
import { ActionDialog } from './dialog.tsx';
import { TextField } from './form.tsx';
import { requireRecorded } from './load.tsx';
import type { AffiliateDetail } from './records.ts';
import { api, isServed } from './session.ts';
import { showToast } from './toast.tsx';

/** The fields of a form as trimmed texts; those that are empty are left out. */
const filledFields = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].map(([name, text]) => [name, String(text).trim()] as const).filter(([, text]) => text !== ''));

/** Adds a person, and with it the first coupon. The e-mail is the login, so nobody else's record can be meant. */
export function AddAffiliate({ onSaved, onClose }: { onSaved: () => void; onClose: () => void }) {
  const canInvite = isServed('post_affiliates_id_invitation');
  const [isInvited, setInvited] = useState(canInvite);
  const add = async (form: FormData): Promise<void> => {
    const { display_name = '', email = '', website, code, percent, discount, parent } = filledFields(form);
    const profile = website === undefined ? {} : { profile: { website } };
    const recruiter = parent === undefined ? {} : { parent };
    const person = { login: email, email, display_name, role: 'affiliate' as const, ...profile, ...recruiter };
    const id = requireRecorded(await api.store.affiliates([person]), 'Nothing was added.');
    if (code !== undefined)
      requireRecorded(
        await api.store.coupons([{ code, user: email, ...ratesOf({ percent, discount }) }]),
        `${display_name} is added, without the coupon.`,
      );
    if (isInvited) await api.affiliates.invitation(id);
    showToast(isInvited ? `${display_name} is added and invited.` : `${display_name} is added.`, {
      href: `/console/affiliates/${id}`,
      text: 'Show',
    });
    onSaved();
  };
  return (
    <ActionDialog title="Add an affiliate" action="Add" onSubmit={add} onClose={onClose}>
      <TextField name="display_name" label="Name" required maxLength={250} />
      <TextField name="email" label="E-mail" type="email" required maxLength={60} hint="Also the login." />
      <TextField name="code" label="Coupon code" maxLength={100} hint="What customers type, for example ANNA10." />
      <RateFields />
      <TextField name="website" label="Website" maxLength={5000} />
      <AffiliateField name="parent" label="Recruited by" hint="The login of the affiliate who earns a share of this one's commission." />
      {canInvite && (
        <label class="check">
          <input type="checkbox" checked={isInvited} onChange={({ currentTarget }) => setInvited(currentTarget.checked)} />
          Send an e-mail with a link to set a password
        </label>
      )}
    </ActionDialog>
  );
}

/** Percentages as the record of a coupon has them. */
export const ratesOf = ({ percent, discount }: { percent: string | undefined; discount: string | undefined }) => ({
  ...(percent !== undefined && { percent: Number(percent) }),
  ...(discount !== undefined && { discount_type: 'percent' as const, discount_amount: Number(discount) }),
});

export const RateFields = ({ percent, discount }: { percent?: number | null; discount?: number }) => (
  <>
    <TextField
      name="percent"
      label="Commission in percent"
      type="number"
      max={100}
      defaultValue={String(percent ?? '')}
      hint="Empty: the rate of the store."
    />
    <TextField name="discount" label="Discount for customers in percent" type="number" max={100} defaultValue={String(discount ?? '')} />
  </>
);

interface AffiliateFieldProps {
  name: string;
  label: string;
  hint: string;
  required?: boolean;
  defaultValue?: string;
}

/** The login of an affiliate, suggested while it is typed. */
export function AffiliateField({ name, ...field }: AffiliateFieldProps) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly { login: string; name: string }[]>([]);
  useEffect(() => {
    if (text.length < 2 || !isServed('get_affiliates')) return;
    const timer = setTimeout(async () => {
      const { items } = await api.affiliates.list({ search: text, per_page: 8 });
      setFound(items.map(({ user }) => ({ login: user.login ?? '', name: user.display_name })));
    }, 300);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <>
      <TextField {...field} name={name} maxLength={60} list={`${name}-found`} onType={setText} />
      <datalist id={`${name}-found`}>
        {found.map(({ login, name }) => (
          <option key={login} value={login}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** Changes what the store has about an affiliate. The login stays: it names the person. */
export function EditAffiliate({ affiliate, onSaved, onClose }: { affiliate: AffiliateDetail; onSaved: () => void; onClose: () => void }) {
  const { user, profile } = affiliate;
  const save = async (form: FormData): Promise<void> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const { parent } = filledFields(form);
    const change = {
      login: user.login ?? '',
      email: text('email'),
      display_name: text('display_name'),
      profile: { website: text('website'), phone: text('phone'), promote: text('promote') },
      ...(parent !== undefined && { parent }),
    };
    requireRecorded(await api.store.affiliates([change]), '');
    showToast(`${change.display_name} is saved.`);
    onSaved();
  };
  return (
    <ActionDialog title={`Edit ${user.display_name}`} action="Save" onSubmit={save} onClose={onClose}>
      <TextField name="display_name" label="Name" required maxLength={250} defaultValue={user.display_name} />
      <TextField name="email" label="E-mail" type="email" required maxLength={254} defaultValue={user.email ?? ''} />
      <TextField name="website" label="Website" maxLength={5000} defaultValue={profile.website} />
      <TextField name="phone" label="Telephone" type="tel" maxLength={100} defaultValue={profile.phone} />
      <TextField name="promote" label="How they promote" maxLength={5000} defaultValue={profile.promote} />
      <AffiliateField name="parent" label="Recruited by" hint="A login. Empty: unchanged." />
    </ActionDialog>
  );
}
