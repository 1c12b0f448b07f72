import { useState } from 'preact/hooks';
import { Card, Name, Select } from '../components.tsx';
import { ActionDialog } from '../dialog.tsx';
import { TextField } from '../form.tsx';
import { formatDateTime, formatMoney } from '../format.ts';
import type { Adjustment, Coupon } from '../records.ts';
import { api, getMe, isServed } from '../session.ts';
import { boldMoney, type Column, columnsOf, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';

const column = columnsOf<Adjustment>();

const listColumns = (): Column<Adjustment>[] => [
  column('Note', 'note', (note) => <Name>{note}</Name>, { place: 'name' }),
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
  coupons: readonly Pick<Coupon, 'id' | 'code'>[];
  onAdded?: () => void;
}

/** Bonuses and corrections of an affiliate. The affiliate sees the same list. */
export function Adjustments({ userId, coupons, onAdded }: AdjustmentsProps) {
  const [isOpen, setOpen] = useState(false);
  const [version, setVersion] = useState(0);
  const added = (): void => {
    setVersion(version + 1);
    onAdded?.();
  };
  const canAdd = isServed('post_adjustments') && coupons.length > 0;
  return (
    <Card
      title="Bonuses and corrections"
      actions={
        canAdd && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            Add
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
      {isOpen && <AddAdjustment coupons={coupons} onAdded={added} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function AddAdjustment({ coupons, onAdded, onClose }: Pick<AdjustmentsProps, 'coupons'> & { onAdded: () => void; onClose: () => void }) {
  const [couponId, setCouponId] = useState(coupons[0]?.id ?? 0);
  const [kind, setKind] = useState('bonus');
  const add = async (form: FormData): Promise<void> => {
    const amount = Number(form.get('amount')) * (kind === 'bonus' ? 1 : -1);
    const { amount: booked } = await api.adjustments.create({ coupon_id: couponId, amount, note: String(form.get('note')).trim() });
    showToast(booked > 0 ? `A bonus of ${formatMoney(booked)} is added.` : `${formatMoney(-booked)} is taken back.`);
    onAdded();
  };
  return (
    <ActionDialog title="Bonus or correction" action="Add" onSubmit={add} onClose={onClose}>
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
      <TextField name="amount" label={`Amount in ${getMe().currency}`} type="number" required />
      <TextField name="note" label="Note" required maxLength={500} hint="The reason. The affiliate sees it." />
      <p class="small quiet">It changes the available balance at once. To undo it, add the opposite.</p>
    </ActionDialog>
  );
}
