import type { DeliveryFailure } from './sending.ts';

/** What a webhook receives. */
export interface WebhookNotification {
  event: string;
  data: Readonly<Record<string, unknown>> | null;
  at: number;
}

/** failed: given up after the last attempt. Whatever waits is pending, also while it is under way. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface Delivery {
  id: number;
  webhookId: number;
  event: string;
  /** When the event happened. */
  createdAt: number;
  status: DeliveryStatus;
  /** When it is tried next. Null once there is nothing left to do. */
  dueAt: number | null;
  finishedAt: number | null;
  /** All there were, oldest first; a replayed delivery keeps those from before. */
  attempts: Attempt[];
}

export interface Attempt {
  at: number;
  /** The receiver's answer, or null when there was none. */
  code: number | null;
  failure: DeliveryFailure | null;
  /** What went wrong, for people. Empty when nothing did. */
  error: string;
  /** The first KiB of the answer. */
  excerpt: string;
  milliseconds: number;
}

/** A delivery that one worker has to itself until its lease is over. */
export interface ClaimedDelivery {
  id: number;
  webhookId: number;
  url: string;
  encryptedSecret: string;
  event: string;
  createdAt: number;
  data: unknown;
  /** 1 for the first. */
  attempt: number;
  lease: string;
}

/** As receivers and people know it. */
export const deliveryName = (id: number): string => `dlv_${id}`;
