import { useEffect, useRef, useState } from 'preact/hooks';
import { Field, Select } from './components.tsx';
import { withConfirmedPassword } from './confirm-password.tsx';
import { ActionDialog } from './dialog.tsx';
import { TextField } from './form.tsx';
import { shortenName } from './format.ts';
import { describeError, describeSaved, RefusedRecord, requireRecorded } from './load.tsx';
import { addName } from './names.ts';
import type { Affiliate, AffiliateDetail, CouponDetail } from './records.ts';
import { api, getMe, isServed } from './session.ts';
import { showToast } from './toast.tsx';

/** The fields of a form as trimmed texts; those that are empty are left out. */
export const filledFields = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].map(([name, text]) => [name, String(text).trim()] as const).filter(([, text]) => text !== ''));

/** With the add-on management, also affiliates without a coupon. */
const findAffiliates = async (search: string, limit: number) =>
  (
    await api.affiliates.list({
      search,
      per_page: limit,
      ...(isServed('post_affiliates_id_status') && { coupons: 'any' as const }),
    })
  ).items;

/** Adds a person, and with it the first coupon. The e-mail is the login. A record with the same one is never changed by mistake. */
export function AddAffiliate({ onSaved, onClose }: { onSaved: () => void; onClose: () => void }) {
  const canInvite = isServed('post_affiliates_id_invitation');
  const [isInvited, setInvited] = useState(canInvite);
  /** Whom this dialog has added, where the coupon was refused. */
  const added = useRef('');
  const add = async (form: FormData): Promise<void> => {
    const fields = filledFields(form);
    const { display_name = '', email = '', website, code, parent } = fields;
    const isKnown = ({ user }: Affiliate): boolean => [user.email, user.login].some((name) => name?.toLowerCase() === email.toLowerCase());
    const known = added.current !== email && isServed('get_affiliates') ? (await findAffiliates(email, 100)).find(isKnown) : undefined;
    if (known)
      throw new RefusedRecord(`${shortenName(known.user.display_name)} has this e-mail already. Nothing was added.`, {
        href: `/console/affiliates/${known.id}`,
        text: 'Open',
      });
    const problem = code === undefined ? undefined : await findCodeProblem(code, email);
    if (problem !== undefined) throw new RefusedRecord(`Nothing was added. ${problem}`);
    const profile = website === undefined ? {} : { profile: { website } };
    const recruiter = parent === undefined ? {} : { parent };
    const person = { login: email, email, display_name, role: 'affiliate' as const, ...profile, ...recruiter };
    const id = requireRecorded(await withConfirmedPassword(() => api.store.affiliates([person])), 'Nothing was added.');
    added.current = email;
    if (code !== undefined)
      requireRecorded(
        await api.store.coupons([{ code, user: email, ...ratesOf(fields) }]),
        `${shortenName(display_name)} is added, without the coupon. Choose another code and add it again: nobody is added twice.`,
      );
    addName(id, display_name);
    if (isInvited) await api.affiliates.invitation(id);
    showToast(`${shortenName(display_name)} is added${isInvited ? ', and an invitation is on its way' : ''}.`, {
      href: `/console/affiliates/${id}`,
      text: 'Show',
    });
    onSaved();
  };
  return (
    <ActionDialog title="Add an affiliate" action="Add" onSubmit={add} onClose={onClose}>
      <TextField name="display_name" label="Name" required maxLength={250} />
      <TextField name="email" label="E-mail" type="email" required maxLength={60} hint="Also the login." />
      {canInvite && (
        <label class="check">
          <input type="checkbox" checked={isInvited} onChange={({ currentTarget }) => setInvited(currentTarget.checked)} />
          Send an e-mail with a link to set a password
        </label>
      )}
      <CodeField label="Coupon code" hint="What customers type, for example ANNA10." />
      <RateFields />
      <TextField name="website" label="Website" maxLength={5000} />
      <AffiliateField
        name="parent"
        label="Recruited by"
        hint="Earns a share of this one's commission. Type a name or an e-mail, then choose."
      />
    </ActionDialog>
  );
}

/** Why a new coupon of this person cannot have the code: another affiliate has it. */
export async function findCodeProblem(code: string, login = ''): Promise<string | undefined> {
  if (!isServed('get_affiliates', 'post_affiliates_id_status')) return undefined;
  const items = await findAffiliates(code, 20);
  const isCode = (coupon: { code: string }): boolean => coupon.code.toLowerCase() === code.toLowerCase();
  const owner = items.find(({ user, coupons }) => user.login !== login && coupons.some(isCode));
  return owner && `${code} is the coupon of ${shortenName(owner.user.display_name)}. Choose another code.`;
}

/** The code of a new coupon, checked when the field is left. */
export function CodeField({ label, hint, required = false }: { label: string; hint: string; required?: boolean }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const type = (typed: string): void => {
    setText(typed.trim());
    setProblem(undefined);
  };
  const check = async (): Promise<void> => setProblem(text === '' ? undefined : await findCodeProblem(text).catch(() => undefined));
  return <TextField name="code" label={label} required={required} maxLength={100} {...{ hint, problem }} onType={type} onLeave={check} />;
}

type DiscountType = CouponDetail['discount']['type'];

/** What a discount is taken from, with the label of its amount. */
const discountTypes: Record<DiscountType, readonly [option: string, label: () => string]> = {
  percent: ['Percent of the goods', () => 'Discount for customers in percent'],
  fixed_cart: ['An amount off the order', () => `Discount for customers in ${getMe().currency}`],
  fixed_product: ['An amount off each item', () => `Discount for customers in ${getMe().currency}`],
};

/** The rates of the form as the record of a coupon has them. Those that are empty are left out. */
export const ratesOf = ({ percent, discount, discount_type }: Record<string, string>) => ({
  ...(percent !== undefined && { percent: Number(percent) }),
  ...(discount !== undefined && { discount_type: discount_type as DiscountType, discount_amount: Number(discount) }),
});

/** The rates of the form for a coupon that has some: an empty field takes its rate away. */
export const replacedRatesOf = (fields: Record<string, string>) => ({
  percent: null,
  discount_type: fields['discount_type'] as DiscountType,
  discount_amount: 0,
  ...ratesOf(fields),
});

/** With the rates of a coupon, or empty for a new one. */
export function RateFields({ coupon }: { coupon?: CouponDetail | undefined }) {
  const [type, setType] = useState<DiscountType>(coupon?.discount.type ?? 'percent');
  return (
    <>
      <TextField
        name="percent"
        label="Commission in percent"
        type="number"
        max={100}
        defaultValue={String(coupon?.commission.percent_override ?? '')}
        hint="Empty: the rate of the store."
      />
      <div class="field-row">
        <Select
          label="Kind of discount"
          value={type}
          options={Object.entries(discountTypes).map(([value, [option]]) => [value, option] as const)}
          onChange={(value) => setType(value as DiscountType)}
        />
        <input type="hidden" name="discount_type" value={type} />
        <TextField
          name="discount"
          label={discountTypes[type][1]()}
          type="number"
          {...(type === 'percent' && { max: 100 })}
          defaultValue={String(coupon?.discount.amount || '')}
          hint="As in your shop, which gives the discount."
        />
      </div>
    </>
  );
}

interface AffiliateFieldProps {
  name: string;
  label: string;
  hint: string;
  required?: boolean;
  chosen?: Chosen | undefined;
  /** What the form gets. By default it is the login. */
  valueFrom?: (user: Chosen) => string;
}

type Chosen = Affiliate['user'];

const nameChoice = ({ login, email, display_name }: Chosen): string =>
  `${display_name} (${[...new Set([email, login])].filter(Boolean).join(', ')})`;

/** An affiliate who is found by name, e-mail or login, and picked from the list. The form never gets what was typed. */
export function AffiliateField({ name, chosen, valueFrom = ({ login }) => login ?? '', ...field }: AffiliateFieldProps) {
  const [text, setText] = useState(chosen ? nameChoice(chosen) : '');
  const [found, setFound] = useState<readonly Chosen[]>(chosen ? [chosen] : []);
  const [problem, setProblem] = useState<string>();
  const picked = found.find((choice) => nameChoice(choice) === text);
  useEffect(() => {
    setProblem(undefined);
    if (text.trim().length < 2 || picked) return;
    let isOld = false;
    const search = async (): Promise<void> => {
      const matches = await findAffiliates(text.trim(), 8).catch((error: unknown) => describeError(error));
      if (isOld) return;
      if (typeof matches === 'string') return setProblem(matches);
      setFound(matches.map(({ user }) => user));
      if (matches.length === 0) setProblem('No affiliate matches.');
    };
    const timer = setTimeout(search, 300);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text]);
  return (
    <>
      <TextField
        {...field}
        name={`${name}_name`}
        defaultValue={text}
        maxLength={600}
        list={`${name}-found`}
        problem={problem}
        refusal={text.trim() === '' || picked ? '' : 'Choose an affiliate from the list.'}
        onType={setText}
      />
      <input type="hidden" name={name} value={picked ? valueFrom(picked) : ''} />
      <datalist id={`${name}-found`}>
        {found.map((choice) => (
          <option key={choice.login} value={nameChoice(choice)} />
        ))}
      </datalist>
    </>
  );
}

/** Changes what the store has about an affiliate. The login stays: it names the person. */
export function EditAffiliate({ affiliate, onSaved, onClose }: { affiliate: AffiliateDetail; onSaved: () => void; onClose: () => void }) {
  const { user, profile } = affiliate;
  const recruiter = affiliate.mla_parents?.['T1']?.display_name;
  const save = async (form: FormData): Promise<void> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const { parent } = filledFields(form);
    const change = {
      // Names the person beside the login, whose email may change then.
      id: user.id,
      login: user.login ?? '',
      email: text('email'),
      display_name: text('display_name'),
      profile: { website: text('website'), phone: text('phone'), promote: text('promote') },
      ...(parent !== undefined && { parent }),
    };
    const outcomes = await withConfirmedPassword(() => api.store.affiliates([change]));
    requireRecorded(outcomes, '');
    showToast(describeSaved(outcomes, shortenName(change.display_name)));
    onSaved();
  };
  return (
    <ActionDialog title={`Edit ${user.display_name}`} action="Save" onSubmit={save} onClose={onClose}>
      <TextField name="display_name" label="Name" required maxLength={250} defaultValue={user.display_name} />
      <TextField name="email" label="E-mail" type="email" required maxLength={254} defaultValue={user.email ?? ''} />
      <TextField name="website" label="Website" maxLength={5000} defaultValue={profile.website} />
      <TextField name="phone" label="Telephone" type="tel" maxLength={100} defaultValue={profile.phone} />
      <Field label="How they promote (optional)">
        {(id) => <textarea id={id} name="promote" rows={3} maxLength={5000} defaultValue={profile.promote} />}
      </Field>
      <AffiliateField
        name="parent"
        label="Recruited by"
        hint={`Type a name or an e-mail, then choose. ${recruiter ? `Empty: ${recruiter}, as now.` : ''}`}
      />
    </ActionDialog>
  );
}
