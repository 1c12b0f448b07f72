import { useState } from 'preact/hooks';
import { Card, Name, Select } from '../components.tsx';
import { ActionDialog } from '../dialog.tsx';
import { TextField } from '../form.tsx';
import { formatDateTime, formatMoney, sumOf } from '../format.ts';
import { describeNewest } from '../load.tsx';
import type { Adjustment, Coupon } from '../records.ts';
import { getQuery, setQuery } from '../router.ts';
import { api, getMe, isServed } from '../session.ts';
import { boldMoney, type Column, columnsOf, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';

const column = columnsOf<Adjustment>();

const listColumns = (): Column<Adjustment>[] => [
  column('Note', 'note', (note) => <bdi class="text">{note}</bdi>, { place: 'name' }),
  column('Date', 'date', formatDateTime, { place: 'detail' }),
  column('Coupon', 'coupon_code', (code) => <Name>{code}</Name>, { place: 'detail' }),
  ...(getMe().is_admin
    ? [
        {
          title: 'By',
          cell: ({ by }: Adjustment) => <Name>{by?.display_name ?? ''}</Name>,
          csv: ({ by }: Adjustment) => by?.display_name ?? '',
        },
      ]
    : []),
  column('Amount', 'amount', boldMoney, { isNumber: true, place: 'value' }),
];

interface AdjustmentsProps {
  userId: number;
  /** Those that a new one can be for. */
  coupons: readonly Pick<Coupon, 'id' | 'code' | 'unpaid_commission'>[];
  onAdded?: () => void;
}

/** Bonuses and corrections of an affiliate. The affiliate sees the same list. */
export function Adjustments({ userId, coupons, onAdded }: AdjustmentsProps) {
  const [isOpen, setOpen] = useState(coupons.length > 0 && getQuery('add') !== '');
  const [version, setVersion] = useState(0);
  // Also without an answer: it may have been added.
  const close = (): void => {
    setOpen(false);
    setVersion(version + 1);
    onAdded?.();
    setQuery({ add: null }, { isReplaced: true });
  };
  const canAdd = isServed('post_adjustments') && coupons.length > 0;
  return (
    <Card
      title="Bonuses and corrections"
      actions={
        canAdd && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            Add bonus or correction
          </button>
        )
      }
    >
      <Table
        name="Adjustments"
        columns={listColumns()}
        load={({ page, per_page }) => api.adjustments.list({ page, per_page, user_id: userId })}
        keys={[userId, version]}
        keyOf={({ id }) => id}
        prefix="a_"
        empty="There are none."
      />
      {isOpen && <AddAdjustment userId={userId} coupons={coupons} onClose={close} />}
    </Card>
  );
}

/** Amounts above it, in the currency of the program, are confirmed. */
const largeAmount = 1000;

function AddAdjustment({ userId, coupons, onClose }: Pick<AdjustmentsProps, 'userId' | 'coupons'> & { onClose: () => void }) {
  const [couponId, setCouponId] = useState(coupons[0]?.id ?? 0);
  const [kind, setKind] = useState('bonus');
  const [typed, setTyped] = useState('');
  const amount = Number(typed) * (kind === 'bonus' ? 1 : -1);
  const balance = coupons.find(({ id }) => id === couponId)?.unpaid_commission ?? 0;
  const after = sumOf([balance, amount], (part) => part);
  const doubt = findDoubt(amount, after);
  const add = async (form: FormData, idempotencyKey: string): Promise<void> => {
    const adjustment = { coupon_id: couponId, amount, note: String(form.get('note')) };
    const { amount: booked } = await api.adjustments.create(adjustment, { idempotencyKey });
    showToast(booked > 0 ? `A bonus of ${formatMoney(booked)} is added.` : `${formatMoney(-booked)} is taken back.`);
  };
  const findResult = (): Promise<string> => describeNewest(api.adjustments.list({ user_id: userId, per_page: 1 }), describeAdjustment);
  return (
    <ActionDialog title="Bonus or correction" action="Add" onSubmit={add} findResult={findResult} onClose={onClose}>
      <Select
        label="Kind"
        value={kind}
        options={[
          ['bonus', 'Bonus: the affiliate gets more'],
          ['correction', 'Correction: the affiliate gets less'],
        ]}
        onChange={setKind}
      />
      <Select
        label="Coupon"
        value={String(couponId)}
        options={coupons.map(({ id, code }) => [String(id), code] as const)}
        onChange={(value) => setCouponId(Number(value))}
      />
      <TextField name="amount" label={`Amount in ${getMe().currency}`} type="number" required onType={setTyped} />
      <TextField name="note" label="Note" required maxLength={500} hint="The reason. The affiliate sees it." />
      <p role="status">
        Balance now {formatMoney(balance)} → after <b class={after < 0 ? 'bad' : ''}>{formatMoney(after)}</b>
      </p>
      {doubt !== null && (
        // Another amount is confirmed anew.
        <label key={`${couponId} ${amount}`} class="check">
          <input type="checkbox" required />
          {doubt}
        </label>
      )}
      <p class="small quiet">It changes the available balance at once. To undo it, add the opposite.</p>
    </ActionDialog>
  );
}

const describeAdjustment = ({ amount, coupon_code, note, date }: Adjustment): string =>
  `${formatMoney(amount)} for ${coupon_code}, “${note}”, of ${formatDateTime(date)}.`;

/** What a person confirms before an amount that may be a slip is booked. */
function findDoubt(amount: number, after: number): string | null {
  if (amount < 0 && after < 0)
    return `Yes, take ${formatMoney(-amount)} back. The affiliate then owes ${formatMoney(-after)} with this coupon.`;
  return Math.abs(amount) > largeAmount ? `Yes, ${formatMoney(Math.abs(amount))} is right.` : null;
}
