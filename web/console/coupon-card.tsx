import { useState } from 'preact/hooks';
import { CopyButton, Icon, Name } from './components.tsx';
import { TextField } from './form.tsx';
import { formatMoney, formatPercent } from './format.ts';
import { QrCode } from './qr-code.tsx';
import type { CouponDetail } from './records.ts';
import { buildReferralLink } from './referral-link.ts';

export function describeRate({ commission }: CouponDetail): string {
  const parts = [
    commission.percent > 0 && `${formatPercent(commission.percent)} of the goods after discount`,
    commission.fixed_per_order !== null && `${formatMoney(commission.fixed_per_order)} for each order`,
    commission.fixed_per_product !== null && `${formatMoney(commission.fixed_per_product)} for each item`,
  ].filter((part) => part !== false);
  return parts.join(' and ') || 'no commission';
}

export function describeDiscount({ discount: { type, amount } }: CouponDetail): string {
  if (amount === 0) return 'no discount';
  if (type === 'percent') return `${formatPercent(amount)} off`;
  return `${formatMoney(amount)} off ${type === 'fixed_cart' ? 'the order' : 'each item'}`;
}

/** Everything to share: the code, the link, and the link as a QR code. */
export const CouponCard = ({ coupon }: { coupon: CouponDetail }) => (
  <article class="coupon" aria-label={`Coupon ${coupon.code}`}>
    <p class="coupon-code">
      <Name>{coupon.code}</Name>
      <CopyButton text={coupon.code} label={`Copy the code ${coupon.code}`} />
    </p>
    <p>
      You earn <b>{describeRate(coupon)}</b>. Customers get {describeDiscount(coupon)}.
    </p>
    <LinkBuilder coupon={coupon} />
  </article>
);

/** The referral link of a coupon, to any page of the shop and for a campaign. */
export function LinkBuilder({ coupon: { code, referral_url } }: { coupon: CouponDetail }) {
  const [target, setTarget] = useState('');
  const [campaign, setCampaign] = useState('');
  const [hasCode, setCode] = useState(false);
  const link = buildReferralLink(referral_url, { target, campaign });
  return (
    <>
      <p class="copy-line">
        <a href={link} target="_blank" rel="noreferrer">
          {link}
        </a>
        <CopyButton text={link} label={`Copy the referral link of ${code}`} />
      </p>
      <details>
        <summary>Link to another page or for a campaign</summary>
        <div class="form">
          <TextField name="target" label="Page of the shop" hint="Paste its address from the shop." maxLength={2000} onType={setTarget} />
          <TextField
            name="campaign"
            label="Campaign"
            hint="A name of your own. Clicks and orders are counted under it."
            maxLength={100}
            onType={setCampaign}
          />
        </div>
      </details>
      <div class="actions">
        {'share' in navigator && (
          <button
            type="button"
            class="plain"
            aria-label={`Share the link of ${code}`}
            onClick={() => navigator.share({ url: link }).catch(() => {})}
          >
            <Icon name="link" />
            Share
          </button>
        )}
        <button type="button" class="plain" aria-expanded={hasCode} onClick={() => setCode(!hasCode)}>
          {hasCode ? 'Hide the QR code' : 'Show the QR code'}
        </button>
      </div>
      {hasCode && <QrCode text={link} name={code} />}
    </>
  );
}
