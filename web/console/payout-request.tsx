import { useState } from 'preact/hooks';
import { isApiError } from '../../client/src/index.ts';
import { Name } from './components.tsx';
import { ActionDialog } from './dialog.tsx';
import { formatDate, formatMoney } from './format.ts';
import type { CouponDetail, Payout } from './records.ts';
import { api, getMe, isServed } from './session.ts';
import { explainObstacle, isObstacle, payoutStatuses } from './words.ts';

interface Outcome {
  readonly payout: Payout;
  readonly isExisting: boolean;
  readonly notice: string;
}

interface PayoutRequestProps {
  coupon: CouponDetail;
  onRequested: () => void;
  /** The reader has pressed the button already. */
  isStarted?: boolean;
}

/** What can be paid out of a coupon, a button that requests it, or the reasons why not and what to do about each. */
export function PayoutRequest({ coupon, onRequested, isStarted = false }: PayoutRequestProps) {
  const [isOpen, setOpen] = useState(isStarted);
  const [outcome, setOutcome] = useState<Outcome>();
  const [refusal, setRefusal] = useState<string>();
  const { id, code, unpaid_commission: available, pending_payout_commission: requested, payout_eligibility: eligibility } = coupon;
  if (!eligibility || !isServed('post_payouts')) return null;
  const request = async (_form: FormData, idempotencyKey: string): Promise<void> => {
    let isExisting = false;
    const onResponse = ({ headers }: Response): void => {
      isExisting = headers.get('X-Svc-Existing') === '1';
    };
    const payout = await api.payouts.create({ coupon_id: id }, { onResponse, idempotencyKey }).catch((error: unknown) => {
      // Shown below, where it can lead to the page that removes the obstacle.
      if (isApiError(error) && isObstacle(error.code)) return setRefusal(error.code);
      throw error;
    });
    if (payout) setOutcome({ payout, isExisting, notice: 'gateway_notice' in payout ? (payout.gateway_notice ?? '') : '' });
    onRequested();
  };
  const canRequest = eligibility.eligible && requested === 0 && !outcome && refusal === undefined;
  const reasons = refusal === undefined ? eligibility.reasons : [refusal];
  return (
    <section class="request" aria-label={`Payout of ${code}`}>
      <div class="request-head">
        <p>
          <Name>{code}</Name>
        </p>
        <p class="request-amount">{formatMoney(available)}</p>
        {canRequest && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            Request payout
          </button>
        )}
      </div>
      {outcome && <Answer outcome={outcome} />}
      {!outcome && requested > 0 && (
        <p>{formatMoney(requested)} is requested already. What was earned since can be requested once that payout is paid or cancelled.</p>
      )}
      {!outcome && reasons.length > 0 && (
        <ul class="reasons" role={refusal === undefined ? undefined : 'alert'}>
          {reasons.map((reason) => (
            <li key={reason}>
              <Reason code={reason} coupon={coupon} />
            </li>
          ))}
        </ul>
      )}
      {isOpen && canRequest && (
        <ActionDialog
          title="Request a payout"
          action={`Request ${formatMoney(available)}`}
          onSubmit={request}
          onClose={() => setOpen(false)}
        >
          <p>
            The whole balance of <Name>{code}</Name>, <b>{formatMoney(available)}</b>, is requested. It then waits for a decision.
          </p>
        </ActionDialog>
      )}
    </section>
  );
}

function Reason({ code, coupon: { id, user_id, user } }: { code: string; coupon: CouponDetail }) {
  const { reason, advice, adminAdvice, remedy } = explainObstacle(code);
  const isOwn = user_id === getMe().user.id;
  if (!isOwn && user && code === 'svc_api_no_payout_details') return <MissingDetails user={user} />;
  const isOffered = remedy && isOwn && isServed(...(remedy.needs ?? []));
  return (
    <>
      <b>{reason}</b> {isOffered ? <a href={remedy.pageOf(id)}>{remedy.text}</a> : isOwn ? advice : adminAdvice}
    </>
  );
}

/** For admins. */
export const MissingDetails = ({ user: { email } }: { user: { email?: string } }) => (
  <>
    This affiliate has saved no payout details. Ask for them{email ? ': ' : '.'}
    {email && <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>{email}</a>}
  </>
);

function Answer({ outcome: { payout, isExisting, notice } }: { outcome: Outcome }) {
  const { meaning } = payoutStatuses[payout.status];
  const amount = formatMoney(payout.amount);
  return (
    <div class="notice good-notice" role="status">
      <p>
        {isExisting
          ? `There is an open request already: ${amount}, since ${formatDate(payout.date)}. It was not requested twice.`
          : `${amount} is requested as payout #${payout.id}.`}{' '}
        {meaning}
      </p>
      {notice && (
        <p>
          <bdi>{notice}</bdi>
        </p>
      )}
    </div>
  );
}
