import type { Page, Paged } from '../page.ts';
import type { Attempt, ClaimedDelivery, Delivery, DeliveryStatus } from './delivery.ts';
import type { WebhookHealth } from './health.ts';
import type { NewWebhook, Webhook, WebhookStatus } from './webhook.ts';

export interface WebhookRepository {
  byId(id: number): Promise<Webhook | null>;
  /** Newest first. */
  page(page: Page): Promise<Paged<Webhook>>;
  insert(webhook: NewWebhook): Promise<Webhook>;
  setEvents(id: number, events: readonly string[]): Promise<void>;
  /** False when it has this status already, or is gone. */
  setStatus(id: number, status: WebhookStatus): Promise<boolean>;
  /** With its deliveries. False when there is none. */
  remove(id: number): Promise<boolean>;
  /** As if it had never failed. */
  resetFailures(id: number): Promise<void>;
  /** Locks these against deletion until the transaction ends, and those of `changing` against changes. */
  lock(ids: readonly number[], changing: readonly number[]): Promise<void>;
  /** By id, as it is committed. Of webhooks that are gone there is none. */
  health(ids: readonly number[]): Promise<Map<number, WebhookHealth>>;
  /** The same in the order of their ids, for this transaction alone until it ends. */
  lockedHealth(ids: readonly number[]): Promise<Map<number, WebhookHealth>>;
  /** Its status is not part of it: see `setStatus`. */
  setHealth(id: number, health: Omit<WebhookHealth, 'status'>): Promise<void>;
}

export interface DeliveryClaim {
  now: number;
  leasedUntil: number;
  limit: number;
  perWebhook: number;
  inFlight: ReadonlyMap<number, number>;
  /** When a webhook that gets a probe now may get the next. */
  nextProbeAt: number;
}

/** The result of an attempt. */
export interface DeliveryUpdate {
  status: DeliveryStatus;
  attempts: number;
  dueAt: number | null;
  finishedAt: number | null;
}

/** A test delivery, sent by the request itself; workers skip it. */
export type NewTest = Pick<Delivery, 'webhookId' | 'event' | 'createdAt'> & { data: unknown; id?: number };

export interface DeliveryRepository {
  /**
   * Leases due deliveries of active webhooks, the longest due of each webhook first, in fair shares. Of a webhook that only gets probes it
   * leases one delivery at most, once its `nextProbeAt` has come.
   */
  claim(claim: DeliveryClaim): Promise<ClaimedDelivery[]>;
  /** When the next of these may be claimed, be it due or its lease over. Webhooks that are left out have as many under way as they may. */
  nextDueAt(except: readonly number[]): Promise<number | null>;
  /** Those of which the lease was not taken over meanwhile, for this transaction alone until it ends; each as its lease and id. */
  lockClaimed(claimed: readonly Pick<ClaimedDelivery, 'id' | 'lease'>[]): Promise<Set<string>>;
  /** Of deliveries that are held. */
  settle(settled: readonly (DeliveryUpdate & { id: number })[]): Promise<void>;
  /** Gives back what was not tried. */
  release(claimed: Pick<ClaimedDelivery, 'id' | 'lease'>, dueAt: number): Promise<void>;
  /** What lies further ahead than it can be is from before the clock was set back: it is taken to where it could be at most. */
  clampSchedule(now: number, longest: { lease: number; waits: readonly number[]; probe: number }): Promise<void>;
  addAttempts(attempts: readonly (Attempt & { deliveryId: number })[]): Promise<void>;
  insertTest(test: NewTest): Promise<number>;
  finishTest(id: number, status: DeliveryStatus): Promise<boolean>;
  webhookOf(id: number): Promise<number | null>;
  /** Due at the moment given, with all attempts of the schedule before it. */
  requeue(id: number, dueAt: number): Promise<void>;
  /** Of one webhook, newest first. */
  page(webhookId: number, page: Page): Promise<Paged<Delivery>>;
  /** Those finished before the moment, and those that a disabled webhook kept waiting since. How many there were. */
  deleteOld(before: number, limit: number): Promise<number>;
}
