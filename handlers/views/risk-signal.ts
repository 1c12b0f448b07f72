import { localDateTime } from '../../domain/dates.ts';
import type { Signal } from '../../domain/risk/signal.ts';
import type { components } from '../../generated/api.d.ts';

export const riskSignalView = (signal: Signal, zone: string): components['schemas']['RiskSignal'] => ({
  id: signal.id,
  kind: signal.kind,
  severity: signal.severity,
  user_id: signal.userId,
  coupon_id: signal.couponId,
  status: signal.status,
  date_opened: localDateTime(signal.openedAt, zone),
  date_last_seen: localDateTime(signal.lastSeenAt, zone),
  count: signal.count,
  text: signal.text,
  evidence: signal.evidence.map(({ text, orderId, payoutId, at }) => ({
    text,
    order_id: orderId,
    payout_id: payoutId,
    date: localDateTime(at, zone),
  })),
  note: signal.note,
  decided_by: signal.decidedBy,
  date_decided: signal.decidedAt === null ? null : localDateTime(signal.decidedAt, zone),
});
