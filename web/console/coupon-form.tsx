import { useState } from 'preact/hooks';
import { AffiliateField, CodeField, filledFields, RateFields, ratesOf, replacedRatesOf } from './affiliate-forms.tsx';
import { Select } from './components.tsx';
import { ActionDialog } from './dialog.tsx';
import { describeSaved, requireRecorded } from './load.tsx';
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
    const fields = filledFields(form);
    const { user = owner, code = '' } = fields;
    const record = {
      code: coupon?.code ?? code,
      status,
      ...(coupon && { id: coupon.id }),
      ...(user !== undefined && user !== coupon?.user?.login && { user }),
      ...(coupon ? replacedRatesOf(fields) : ratesOf(fields)),
    };
    const outcomes = await api.store.coupons([record]);
    const id = requireRecorded(outcomes, 'Nothing was saved.');
    showToast(describeSaved(outcomes, `Coupon ${record.code}`), { href: `/console/coupons/${id}`, text: 'Show' });
    onSaved();
  };
  return (
    <ActionDialog title={coupon ? `Edit ${coupon.code}` : 'New coupon'} action="Save" onSubmit={save} onClose={onClose}>
      {!coupon && <CodeField label="Code" required hint="What customers type. Make the same code in your shop." />}
      {owner === undefined && (
        <AffiliateField
          name="user"
          label="Affiliate"
          hint="Type a name or an e-mail, then choose."
          required={!coupon}
          chosen={coupon?.user ?? undefined}
        />
      )}
      <RateFields coupon={coupon} />
      <Select
        label="Status"
        value={status}
        options={Object.entries(couponStatuses).map(([value, { label, meaning }]) => [value, `${label}: ${meaning}`] as const)}
        onChange={(value) => setStatus(value as Coupon['status'])}
      />
    </ActionDialog>
  );
}
