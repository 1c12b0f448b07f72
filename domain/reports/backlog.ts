import { gatewayMilliseconds } from '../payouts/change.ts';

/** Pending and failed background work that an operator should look at. */
export interface Backlog {
  deliveries: QueueBacklog;
  mails: QueueBacklog;
  /** Of deliveries that failed for good, those of the last day. */
  deliveriesGivenUp: number;
  /** Neither sent nor tried again. */
  mailsGivenUp: number;
  webhooks: { active: number; disabled: number; failing: number };
  payouts: { processing: number; stuck: number };
  /** The number of the newest event of the feed; 0 where there is none. */
  lastEvent: number;
}

export interface QueueBacklog {
  count: number;
  /** When the longest waiting one should have been sent; null where none is late. */
  lateSince: number | null;
}

export interface BacklogRepository {
  /** `stuckBefore`: payouts that are processing since then or longer wait for a human. */
  at(now: number, stuckBefore: number): Promise<Backlog>;
}

export const readBacklog = ({ backlog }: { backlog: BacklogRepository }, now: number): Promise<Backlog> =>
  backlog.at(now, now - gatewayMilliseconds);
