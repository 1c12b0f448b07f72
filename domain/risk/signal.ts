import type { NewEvent } from '../events/event.ts';
import type { Page, Paged } from '../page.ts';

export type RiskSeverity = 'low' | 'medium' | 'high';

/** Every kind of signal with its severity: of `shared_destination`, that of who saved it later. */
export const severities = {
  self_referral: 'medium',
  refund_rate: 'medium',
  refund_after_payout: 'high',
  debt: 'high',
  details_changed: 'high',
  shared_destination: 'high',
  related_accounts: 'low',
  code_without_click: 'medium',
  fast_conversion: 'medium',
  click_spike: 'low',
  visitor_many_coupons: 'medium',
  high_commission: 'low',
} as const satisfies Record<string, RiskSeverity>;

export type RiskKind = keyof typeof severities;
export const riskKinds = Object.keys(severities) as RiskKind[];

export type SignalStatus = 'open' | 'confirmed' | 'dismissed' | 'expired';

/** One occurrence of what a signal is about. */
export interface Occurrence {
  /** Unique among those of one user and kind, so that none is counted twice. */
  key: string;
  text: string;
  orderId: number | null;
  payoutId: number | null;
  at: number;
  /** That of the kind by default. */
  severity?: RiskSeverity;
}

/** What is found about a user. */
export interface Finding {
  kind: RiskKind;
  userId: number;
  couponId: number | null;
  /** A plain sentence for so many occurrences. */
  text(count: number): string;
  occurrences: readonly Occurrence[];
}

/** The decision about a signal; of an undecided one null and empty. */
interface Decision {
  note: string;
  decidedBy: number | null;
  decidedAt: number | null;
  /** How many occurrences there were at that time. */
  decidedCount: number | null;
}

export interface Signal extends Decision {
  id: number;
  kind: RiskKind;
  severity: RiskSeverity;
  userId: number;
  couponId: number | null;
  status: SignalStatus;
  openedAt: number;
  lastSeenAt: number;
  count: number;
  text: string;
  /** The newest occurrences, newest first. */
  evidence: readonly Occurrence[];
}

export const undecided: Decision = { note: '', decidedBy: null, decidedAt: null, decidedCount: null };

export const maxEvidence = 50;

export interface SignalFilter {
  status?: SignalStatus;
  kinds?: readonly RiskKind[];
  severity?: RiskSeverity;
  userId?: number;
}

export interface SignalRepository {
  byId(id: number): Promise<Signal | null>;
  /** Newest first. */
  page(filter: SignalFilter, page: Page): Promise<Paged<Signal>>;
  /** Of each user and kind the open one, else the newest: an older one may have been opened again. */
  latestOf(userIds: readonly number[]): Promise<Signal[]>;
  /** Open and confirmed ones of these severities, oldest first. */
  holding(userIds: readonly number[], severities: readonly RiskSeverity[]): Promise<Pick<Signal, 'id' | 'kind' | 'userId' | 'text'>[]>;
  /** Returns the id. */
  insert(signal: Omit<Signal, 'id'>): Promise<number>;
  update(id: number, change: Partial<Omit<Signal, 'id'>>): Promise<void>;
  /** Open ones that were last seen before. Returns how many there were. */
  expire(before: number): Promise<number>;
}

type SignalEvent = 'risk.signal_opened' | 'risk.signal_decided';

export function signalEvent(signal: Signal, type: SignalEvent, { now, userId }: { now: number; userId: number }): NewEvent {
  const { id, kind, severity, status, couponId, count } = signal;
  const isOpened = type === 'risk.signal_opened';
  return {
    kind: isOpened ? 'risk_signal_opened' : 'risk_signal_decided',
    type,
    objectType: 'risk_signal',
    objectId: id,
    userId,
    info: isOpened ? `A risk signal about user ${signal.userId} was opened: ${kind}.` : `Risk signal ${id} (${kind}) is ${status}.`,
    data: { signal_id: id, kind, severity, user_id: signal.userId, coupon_id: couponId, status, count },
    at: now,
  };
}
