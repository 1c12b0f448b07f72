import { localDateTime } from '../../domain/dates.ts';
import type { Candidate } from '../../domain/explanation/attribution.ts';
import type { ExplainedMovement, Explanation } from '../../domain/explanation/explain.ts';
import type { Party } from '../../domain/explanation/label.ts';
import type { ExplainedRate } from '../../domain/explanation/rates.ts';
import type { ExplainedShare } from '../../domain/explanation/shares.ts';
import { type Minor, toNumber } from '../../domain/money.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { components } from '../../generated/api.d.ts';
import { isAddOnActive } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';

type Schemas = components['schemas'];
type Store = Settings['store'];

export function explanationView(explanation: Explanation, settings: Settings): Schemas['CommissionExplanation'] {
  const { store } = settings;
  const { order, attribution } = explanation;
  const money = (amount: Minor): number => toNumber(amount, store.currency);
  return {
    order_id: order.orderId,
    ...(isAddOnActive('store', settings) && { external_id: explanation.externalId }),
    coupon_id: order.couponId,
    commission: money(order.commission),
    recomputed: money(explanation.recomputed),
    agrees: explanation.agrees,
    inputs: { ...inputsView(order, store), rates: explanation.rates.map((rate) => rateView(rate, store)) },
    steps: explanation.steps.map(({ step, amount, text }) => ({ step, amount: money(amount), text })),
    attribution: {
      via: order.creditedVia,
      text: attribution.text,
      candidates: attribution.candidates.map((candidate) => candidateView(candidate, store)),
    },
    shares: explanation.shares.map((share) => shareView(share, store)),
    movements: explanation.movements.map((movement) => movementView(movement, store)),
  };
}

function inputsView(order: Order, { currency, timezone }: Store): Omit<Schemas['ExplanationInputs'], 'rates'> {
  return {
    currency,
    date: localDateTime(order.placedAt, timezone),
    status: order.status,
    commission_status: order.commissionStatus,
    total: toNumber(order.total, currency),
    discount: toNumber(order.discount, currency),
    refunded_amount: toNumber(order.refunded, currency),
    quantity: order.quantity,
  };
}

const rateNames = { percentThousandths: 'percent', fixedPerOrder: 'fixed_per_order', fixedPerProduct: 'fixed_per_product' } as const;

const rateView = ({ rate, value, source, text }: ExplainedRate, { currency }: Store): Schemas['ExplanationRate'] => ({
  rate: rateNames[rate],
  value: rate === 'percentThousandths' ? value / 1000 : toNumber(value, currency),
  source,
  text,
});

const partyView = (party: Party | null) => ({
  coupon_id: party?.couponId ?? null,
  coupon: party?.code ?? null,
  user: party?.user ? { id: party.user.id, display_name: party.user.displayName } : null,
});

const candidateView = ({ via, won, coupon, at, campaign, text }: Candidate, { timezone }: Store): Schemas['AttributionCandidate'] => ({
  via,
  won,
  ...partyView(coupon.party),
  date: at === null ? null : localDateTime(at, timezone),
  campaign,
  text,
});

const shareView = ({ share, coupon, agrees, text }: ExplainedShare, { currency }: Store): Schemas['ExplanationShare'] => ({
  tier: share.tier,
  ...partyView(coupon.party),
  percent: coupon.party && share.rateThousandths / 1000,
  amount: coupon.party && toNumber(share.amount, currency),
  agrees,
  text,
});

const movementView = ({ at, couponId, from, to, amount, text }: ExplainedMovement, store: Store): Schemas['OrderMovement'] => ({
  date: localDateTime(at, store.timezone),
  coupon_id: couponId,
  from,
  to,
  amount: toNumber(amount, store.currency),
  text,
});
