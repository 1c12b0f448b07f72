import { useState } from 'preact/hooks';
import { isApiError } from '../../client/src/index.ts';
import { Name } from './components.tsx';
import { ActionDialog } from './dialog.tsx';
import { formatDate, formatMoney } from './format.ts';
import type { CouponDetail, Payout } from './records.ts';
import { api, getMe, isServed } from './session.ts';
import { explainObstacle, payoutStatuses } from './words.ts';

interface Outcome {
  readonly payout: Payout;
  readonly isExisting: boolean;
  readonly notice: string;
}

/** What can be paid out of a coupon, a button that requests it, or the reasons why not and what to do about each. */
export function PayoutRequest({ coupon, onRequested }: { coupon: CouponDetail; onRequested: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const { id, code, unpaid_commission: available, pending_payout_commission: requested, payout_eligibility: eligibility } = coupon;
  if (!eligibility || !isServed('post_payouts')) return null;
  const request = async (): Promise<void> => {
    let isExisting = false;
    const onResponse = ({ headers }: Response): void => {
      isExisting = headers.get('X-Svc-Existing') === '1';
    };
    const payout = await api.payouts.create({ coupon_id: id }, { onResponse }).catch(explainRefusal);
    setOutcome({ payout, isExisting, notice: 'gateway_notice' in payout ? (payout.gateway_notice ?? '') : '' });
    onRequested();
  };
  return (
    <section class="request" aria-label={`Payout of ${code}`}>
      <div class="request-head">
        <p>
          <Name>{code}</Name>
        </p>
        <p class="request-amount">{formatMoney(available)}</p>
        {eligibility.eligible && requested === 0 && !outcome && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            Request payout
          </button>
        )}
      </div>
      {outcome && <Answer outcome={outcome} />}
      {!outcome && requested > 0 && (
        <p>{formatMoney(requested)} is requested already. What was earned since can be requested once that payout is paid or cancelled.</p>
      )}
      {!outcome && eligibility.reasons.length > 0 && (
        <ul class="reasons">
          {eligibility.reasons.map((reason) => (
            <li key={reason}>
              <Reason code={reason} coupon={coupon} />
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <ActionDialog
          title="Request a payout"
          action={`Request ${formatMoney(available)}`}
          onSubmit={request}
          onClose={() => setOpen(false)}
        >
          <p>
            The whole balance of <Name>{code}</Name>, <b>{formatMoney(available)}</b>, is requested. The store then decides about it.
          </p>
        </ActionDialog>
      )}
    </section>
  );
}

/** Only the affiliate follows the advice. */
function Reason({ code, coupon: { id, user_id } }: { code: string; coupon: CouponDetail }) {
  const { reason, advice, href } = explainObstacle(code);
  const isOwn = user_id === getMe().user.id;
  return (
    <>
      <b>{reason}</b> {href && isOwn ? <a href={`${href}?coupon=${id}`}>{advice}</a> : advice}
    </>
  );
}

/** The service's sentences are for developers. */
function explainRefusal(error: unknown): never {
  if (isApiError(error) && error.status !== 0 && explainObstacle(error.code).reason.includes(error.code) === false) {
    const { reason, advice } = explainObstacle(error.code);
    error.message = `${reason} ${advice}`;
  }
  throw error;
}

function Answer({ outcome: { payout, isExisting, notice } }: { outcome: Outcome }) {
  const { label, meaning } = payoutStatuses[payout.status];
  const amount = formatMoney(payout.amount);
  return (
    <div class="notice good-notice" role="status">
      <p>
        {isExisting
          ? `There is an open request already: ${amount}, since ${formatDate(payout.date)}. It was not requested twice.`
          : `Requested: ${amount} as payout #${payout.id}.`}{' '}
        {label}: {meaning}
      </p>
      {notice && (
        <p>
          <bdi>{notice}</bdi>
        </p>
      )}
    </div>
  );
}
