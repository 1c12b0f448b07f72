import { type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { EditAffiliate } from '../affiliate-forms.tsx';
import { Badge, Card, Name, PageHead, PoolFigures, Tabs } from '../components.tsx';
import { LinkBuilder } from '../coupon-card.tsx';
import { CouponForm } from '../coupon-form.tsx';
import { ActionDialog } from '../dialog.tsx';
import { formatMoney, formatNumber, shortenName } from '../format.ts';
import { CouponLink } from '../links.tsx';
import { AllOrders, Payouts } from '../lists.tsx';
import { Loaded, useLoad } from '../load.tsx';
import { affiliateStatuses, couponStatuses } from '../program-words.ts';
import { RangeChoice } from '../range.tsx';
import type { AffiliateDetail } from '../records.ts';
import { RiskBadges } from '../risk.tsx';
import { getChoice } from '../router.ts';
import { Sales } from '../sales.tsx';
import { api, isServed } from '../session.ts';
import { boldMoney, type Column, columnsOf, loadWhole, Table } from '../table.tsx';
import { showToast } from '../toast.tsx';
import { Adjustments } from './adjustments.tsx';
import { AffiliateHistory } from './affiliate-history.tsx';
import { AffiliateProfile } from './own-account.tsx';
import { AffiliateClicks, CampaignFilter } from './own-clicks.tsx';

/** One affiliate, in parts that are loaded when they are opened. */
export function AffiliatePage({ id }: { id: number }) {
  const affiliate = useLoad(() => api.affiliates.get(id), [id]);
  return <Loaded from={affiliate}>{(record) => <Details affiliate={record} onChanged={affiliate.reload} />}</Loaded>;
}

interface PartProps {
  affiliate: AffiliateDetail;
  onChanged: () => void;
}

interface Part {
  readonly text: string;
  readonly needs: readonly string[];
  readonly show: (props: PartProps) => ComponentChildren;
}

const parts: Record<string, Part> = {
  overview: { text: 'Overview', needs: [], show: (props) => <Overview {...props} /> },
  orders: {
    text: 'Orders',
    needs: ['get_orders'],
    show: ({ affiliate }) => (
      <Card actions={<RangeChoice />}>
        <AllOrders userId={affiliate.id} />
      </Card>
    ),
  },
  payouts: {
    text: 'Payouts',
    needs: ['get_payouts'],
    show: ({ affiliate }) => (
      <Card>
        <Payouts userId={affiliate.id} empty="There are no payouts with this status." />
      </Card>
    ),
  },
  clicks: {
    text: 'Clicks',
    needs: ['get_affiliates_id_clicks'],
    show: ({ affiliate }) => (
      <Card actions={<RangeChoice />}>
        <div class="filters">
          <CampaignFilter />
        </div>
        <AffiliateClicks userId={affiliate.id} />
      </Card>
    ),
  },
  adjustments: {
    text: 'Adjustments',
    needs: ['get_adjustments'],
    show: ({ affiliate, onChanged }) => <Adjustments userId={affiliate.id} coupons={affiliate.coupons} onAdded={onChanged} />,
  },
  history: { text: 'History', needs: [], show: ({ affiliate }) => <AffiliateHistory affiliate={affiliate} /> },
  details: { text: 'Details', needs: [], show: ({ affiliate }) => <AffiliateProfile affiliate={affiliate} /> },
};

function Details({ affiliate, onChanged }: PartProps) {
  const shown = getChoice('tab', parts) ?? 'overview';
  const { user, status } = affiliate;
  const tabs = Object.entries(parts)
    .filter(([, { needs }]) => isServed(...needs))
    .map(([name, { text }]) => ({
      text,
      href: `${location.pathname}${name === 'overview' ? '' : `?tab=${name}`}`,
      isCurrent: name === shown,
    }));
  return (
    <div class="stack">
      <PageHead
        back={{ href: '/console/affiliates', text: 'All affiliates' }}
        title={user.display_name}
        lead={
          <>
            {status && <Badge of={affiliateStatuses[status]} />} <RiskBadges userId={affiliate.id} />
            <Name>{[user.login, user.email].filter((text, at, all) => text && all.indexOf(text) === at).join(' · ')}</Name>
          </>
        }
      >
        <Actions affiliate={affiliate} onChanged={onChanged} />
      </PageHead>
      <Tabs label="Parts" items={tabs} />
      {parts[shown]?.show({ affiliate, onChanged })}
    </div>
  );
}

type OpenForm = 'edit' | 'coupon' | 'invite' | 'status' | null;

function Actions({ affiliate, onChanged }: PartProps) {
  const [open, setOpen] = useState<OpenForm>(null);
  const close = (): void => setOpen(null);
  const { id, user, status } = affiliate;
  const isDisabled = status === 'disabled';
  const invite = async (): Promise<void> => {
    await api.affiliates.invitation(id);
    showToast(`An invitation to ${user.email} is on its way.`);
  };
  const switchStatus = async (): Promise<void> => {
    await api.affiliates.setStatus(id, { status: isDisabled ? 'active' : 'disabled' });
    showToast(isDisabled ? `${shortenName(user.display_name)} can sign in again.` : `${shortenName(user.display_name)} is disabled.`);
    onChanged();
  };
  return (
    <>
      {isServed('post_adjustments') && affiliate.coupons.length > 0 && (
        <a class="plain" href={`/console/affiliates/${id}?tab=adjustments&add=1`}>
          Add bonus
        </a>
      )}
      {isServed('post_affiliates_id_invitation') && !isDisabled && (
        <button type="button" class="plain" onClick={() => setOpen('invite')}>
          Invite
        </button>
      )}
      {isServed('post_store_affiliates') && (
        <button type="button" class="plain" onClick={() => setOpen('edit')}>
          Edit
        </button>
      )}
      {isServed('post_affiliates_id_status') && (
        <button type="button" class="plain" onClick={() => setOpen('status')}>
          {isDisabled ? 'Enable' : 'Disable'}
        </button>
      )}
      {isServed('post_store_coupons') && (
        <button type="button" class="primary" onClick={() => setOpen('coupon')}>
          New coupon
        </button>
      )}
      {open === 'edit' && <EditAffiliate affiliate={affiliate} onSaved={onChanged} onClose={close} />}
      {open === 'coupon' && <CouponForm owner={user.login ?? ''} onSaved={onChanged} onClose={close} />}
      {open === 'invite' && (
        <ActionDialog title={`Invite ${user.display_name}?`} action="Send" onSubmit={invite} onClose={close}>
          <p>
            <Name>{user.email ?? ''}</Name> gets an e-mail with a link to set a password. It works once, for three days. An earlier link
            stops working.
          </p>
          <p class="small quiet">
            Mail leaves by the mail server of the service. Without one it is only written to a file:{' '}
            <a href="/docs/guides/run-in-production">how mail is sent</a>.
          </p>
        </ActionDialog>
      )}
      {open === 'status' && (
        <ActionDialog
          title={isDisabled ? `Enable ${user.display_name}?` : `Disable ${user.display_name}?`}
          action={isDisabled ? 'Enable' : 'Disable'}
          isDangerous={!isDisabled}
          onSubmit={switchStatus}
          onClose={close}
        >
          <p>
            {isDisabled
              ? 'The affiliate can sign in again, and keys work again.'
              : 'The affiliate cannot sign in, and keys stop working. Orders go on earning. Nothing is paid until the account is enabled.'}
          </p>
        </ActionDialog>
      )}
    </>
  );
}

const Overview = ({ affiliate }: PartProps) => (
  <>
    <PoolFigures of={affiliate} />
    {affiliate.coupons.every(({ stats }) => stats.orders_count === 0) ? (
      <FirstLink coupon={affiliate.coupons[0]} />
    ) : (
      isServed('get_affiliates_id_stats') && (
        <Sales title="Results" of={String(affiliate.id)} load={(query) => api.affiliates.stats(affiliate.id, query)} />
      )
    )}
    <Card title="Coupons, all time">
      <Table
        name="Coupons"
        columns={couponColumns}
        load={loadWhole(affiliate.coupons)}
        keys={[JSON.stringify(affiliate.coupons)]}
        keyOf={(coupon) => coupon.id}
        prefix="c_"
        empty="No coupon is assigned at the moment."
      />
    </Card>
  </>
);

type AffiliateCoupon = AffiliateDetail['coupons'][number];

/** Instead of an empty chart: what leads to the first order. */
function FirstLink({ coupon }: { coupon: AffiliateCoupon | undefined }) {
  const detail = useLoad(coupon && isServed('get_coupons_id') ? () => api.coupons.get(coupon.id) : null, [coupon?.id]);
  return (
    <Card title="No orders yet">
      <p>{coupon ? 'Orders appear here when customers use the code or the link.' : 'Make a coupon, which customers then use.'}</p>
      {detail.value && <LinkBuilder coupon={detail.value} />}
    </Card>
  );
}

const column = columnsOf<AffiliateCoupon>();

const couponColumns: readonly Column<AffiliateCoupon>[] = [
  {
    title: 'Code',
    cell: ({ id, code }) => <CouponLink id={id} code={code} />,
    csv: ({ code }) => code,
    place: 'name',
  },
  column('Status', 'status', (status) => <Badge of={couponStatuses[status]} />, { place: 'state' }),
  { title: 'Orders', isNumber: true, cell: ({ stats }) => formatNumber(stats.orders_count), csv: ({ stats }) => stats.orders_count },
  { title: 'Sales', isNumber: true, cell: ({ stats }) => formatMoney(stats.total_sales), csv: ({ stats }) => stats.total_sales },
  {
    title: 'Commission',
    isNumber: true,
    cell: ({ stats }) => formatMoney(stats.total_commission),
    csv: ({ stats }) => stats.total_commission,
  },
  column('Available', 'unpaid_commission', boldMoney, { isNumber: true, place: 'value' }),
];
