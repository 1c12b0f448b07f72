import type { Occurrence, RiskKind, RiskSeverity, SignalStatus } from '../../domain/risk/signal.ts';
import { bigint, boolean, entity, generatedId, json, nullable, primary, text, withDefault } from './columns.ts';

export const riskSignals = entity('risk_signals', {
  id: generatedId,
  kind: text<RiskKind>('kind'),
  severity: withDefault(text<RiskSeverity>('severity'), 'medium'),
  userId: bigint('user_id'),
  couponId: nullable(bigint('coupon_id')),
  status: text<SignalStatus>('status'),
  openedAt: bigint('opened_at'),
  lastSeenAt: bigint('last_seen_at'),
  count: bigint('count'),
  text: text('text'),
  evidence: json<readonly Occurrence[]>('evidence'),
  note: text('note'),
  decidedBy: nullable(bigint('decided_by')),
  decidedAt: nullable(bigint('decided_at')),
  decidedCount: nullable(bigint('decided_count')),
});

/** Users about whom something has changed since the last scan. Triggers add them. */
export const riskChanges = entity('risk_changes', { userId: primary(bigint('user_id')), version: bigint('version') });

/** Up to which change the orders and clicks of a coupon were scanned. */
export const riskProgress = entity('risk_progress', {
  couponId: primary(bigint('coupon_id')),
  ordersVersion: bigint('orders_version'),
  clicks: bigint('clicks'),
});

/** What users may have in common, as keyed hashes. */
export const riskLinks = entity('risk_links', {
  userId: primary(bigint('user_id')),
  link: primary(text('link')),
  /** When a scan saw it. */
  seenAt: bigint('seen_at'),
  /** Since when the user has it: of a destination, when it was saved. */
  since: withDefault(bigint('since'), 0),
  /** False of a destination that the user was paid to and has replaced. */
  isCurrent: withDefault(boolean('is_current'), 1),
});

/** One row, with the id 1: which process scans. */
export const riskLease = entity('risk_lease', { id: primary(bigint('id')), holder: text('holder'), expiresAt: bigint('expires_at') });
