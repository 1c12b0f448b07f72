import { useState } from 'preact/hooks';
import { AffiliateField, RateFields, ratesOf } from './affiliate-forms.tsx';
import { Select } from './components.tsx';
import { ActionDialog } from './dialog.tsx';
import { TextField } from './form.tsx';
import { requireRecorded } from './load.tsx';
import { couponStatuses } from './program-words.ts';
import type { Coupon, CouponDetail } from './records.ts';
import { api } from './session.ts';
import { showToast } from './toast.tsx';

interface CouponFormProps {
  /** The coupon to change. Without it, a new one is made. */
  coupon?: CouponDetail;
  /** The login of the affiliate of a new coupon, where it is known. */
  owner?: string;
  onSaved: () => void;
  onClose: () => void;
}

/** Makes a coupon, or changes its terms, its status and its affiliate. Orders keep the rates that they were recorded with. */
export function CouponForm({ coupon, owner, onSaved, onClose }: CouponFormProps) {
  const [status, setStatus] = useState<Coupon['status']>(coupon?.status ?? 'publish');
  const save = async (form: FormData): Promise<void> => {
    const text = (name: string): string | undefined => String(form.get(name) ?? '').trim() || undefined;
    const user = text('user') ?? owner;
    const record = {
      code: coupon?.code ?? text('code') ?? '',
      status,
      ...(coupon && { id: coupon.id }),
      ...(user !== undefined && user !== coupon?.user?.login && { user }),
      ...ratesOf({ percent: text('percent'), discount: text('discount') }),
    };
    const id = requireRecorded(await api.store.coupons([record]), 'Nothing was saved.');
    showToast(`Coupon ${record.code} is saved.`, { href: `/console/coupons/${id}`, text: 'Show' });
    onSaved();
  };
  const isPercent = coupon?.discount.type !== 'fixed_cart' && coupon?.discount.type !== 'fixed_product';
  return (
    <ActionDialog title={coupon ? `Edit ${coupon.code}` : 'New coupon'} action="Save" onSubmit={save} onClose={onClose}>
      {!coupon && (
        <TextField name="code" label="Code" required maxLength={100} hint="What customers type. Make the same code in your shop." />
      )}
      {owner === undefined && (
        <AffiliateField
          name="user"
          label="Affiliate"
          hint="A login. Type a name to find it."
          required={!coupon}
          defaultValue={coupon?.user?.login ?? ''}
        />
      )}
      <RateFields
        percent={coupon?.commission.percent_override ?? null}
        {...(coupon && isPercent && { discount: coupon.discount.amount })}
      />
      <Select
        label="Status"
        value={status}
        options={Object.entries(couponStatuses).map(([value, { label, meaning }]) => [value, `${label}: ${meaning}`] as const)}
        onChange={(value) => setStatus(value as Coupon['status'])}
      />
    </ActionDialog>
  );
}
