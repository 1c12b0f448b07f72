import { useState } from 'preact/hooks';
import { CopyButton, Icon, Name } from './components.tsx';
import { formatMoney, formatPercent } from './format.ts';
import { QrCode } from './qr-code.tsx';
import type { CouponDetail } from './records.ts';

export function describeRate({ commission }: CouponDetail): string {
  const parts = [
    commission.percent > 0 && `${formatPercent(commission.percent)} of the goods`,
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
export function CouponCard({ coupon }: { coupon: CouponDetail }) {
  const [hasCode, setCode] = useState(false);
  const { code, referral_url } = coupon;
  return (
    <article class="coupon" aria-label={`Coupon ${code}`}>
      <p class="coupon-code">
        <Name>{code}</Name>
        <CopyButton text={code} label={`Copy the code ${code}`} />
      </p>
      <p>
        You earn <b>{describeRate(coupon)}</b>. Customers get {describeDiscount(coupon)}.
      </p>
      <p class="copy-line">
        <a href={referral_url} target="_blank" rel="noreferrer">
          {referral_url}
        </a>
        <CopyButton text={referral_url} label={`Copy the referral link of ${code}`} />
      </p>
      <button type="button" class="plain" aria-expanded={hasCode} onClick={() => setCode(!hasCode)}>
        <Icon name="link" />
        {hasCode ? 'Hide the QR code' : 'Show the QR code'}
      </button>
      {hasCode && <QrCode text={referral_url} name={code} />}
    </article>
  );
}
