import { Card, Name } from '../components.tsx';
import { formatMoney } from '../format.ts';
import { CouponLink, hrefOfPayout, NameLink } from '../links.tsx';
import { Loaded, useLoad } from '../load.tsx';
import type { Adjustment, AffiliateDetail, Payout } from '../records.ts';
import { api, isServed } from '../session.ts';
import { Timeline, type TimelineEntry } from '../timeline.tsx';

/** What happened to an affiliate, from its records: the newest 100 of each kind. */
export function AffiliateHistory({ affiliate }: { affiliate: AffiliateDetail }) {
  const records = useLoad(() => loadRecords(affiliate.id), [affiliate.id]);
  return (
    <Card>
      <Loaded from={records}>
        {([payouts, adjustments, registrations]) => (
          <Timeline
            entries={[
              ...payouts.items.flatMap(payoutEntries),
              ...adjustments.items.map(adjustmentEntry),
              ...affiliate.coupons.map(couponEntry),
              ...registrations.items.map(({ date }) => ({ title: 'Applied', tone: 'info', date, by: undefined }) as const),
              { title: 'Became an affiliate', tone: 'good' as const, date: affiliate.date_registered, by: undefined },
            ]
              .toSorted((one, other) => other.date.localeCompare(one.date))
              .toReversed()}
          />
        )}
      </Loaded>
    </Card>
  );
}

const loadRecords = (id: number) => {
  const nothing = { items: [] };
  const query = { user_id: id, per_page: 100 };
  return Promise.all([
    isServed('get_payouts') ? api.payouts.list(query) : nothing,
    isServed('get_adjustments') ? api.adjustments.list(query) : nothing,
    isServed('get_registrations') ? api.registrations.list(query) : nothing,
  ] as const);
};

const couponEntry = ({ id, code, date_created: date }: AffiliateDetail['coupons'][number]): TimelineEntry => ({
  title: 'Coupon made',
  tone: 'info',
  date,
  by: undefined,
  note: <CouponLink id={id} code={code} />,
});

const adjustmentEntry = ({ amount, note, date, by }: Adjustment): TimelineEntry => ({
  title: amount > 0 ? 'Bonus' : 'Correction',
  tone: amount > 0 ? 'good' : 'bad',
  date,
  by,
  note: <Name>{`${formatMoney(amount)}: ${note}`}</Name>,
});

function payoutEntries({ id, amount, status, date, date_paid: paid }: Payout): TimelineEntry[] {
  const note = <NameLink href={hrefOfPayout(id)} name={`${formatMoney(amount)} (#${id})`} />;
  const title = status === 'cancel' ? 'Payout not completed' : 'Payout requested';
  const requested: TimelineEntry = { title, tone: status === 'cancel' ? 'off' : 'wait', date, by: undefined, note };
  return paid === null ? [requested] : [{ title: 'Payout paid', tone: 'good', date: paid, by: undefined, note }, requested];
}
