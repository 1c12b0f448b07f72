import type { Database } from '../../db/database.ts';
import { type Clock, systemClock } from '../../domain/clock.ts';
import { apiVersion } from '../../generated/operations.ts';
import { backlogFamilies, loadFamilies } from './database.ts';
import { type Family, gauge } from './family.ts';
import { ProcessMeter } from './process.ts';
import { RequestMeter } from './requests.ts';
import { Tally } from './tally.ts';

/** An attempt to send something: what it was, and what came of it. */
export interface Attempted extends Record<'kind' | 'outcome', string> {
  kind: 'mails' | 'webhooks';
  outcome: 'sent' | 'failed' | 'not_tried';
}

const everyAttempt = (['mails', 'webhooks'] as const).flatMap((kind) =>
  (['sent', 'failed', 'not_tried'] as const).map((outcome): Attempted => ({ kind, outcome })),
);

/** All that one process counts. Whoever has something to count is given the part that it needs. */
export class Metrics {
  readonly requests = new RequestMeter();
  readonly gatewayCalls = new Tally<'gateway' | 'outcome'>(
    'affiliate_gateway_calls_total',
    'Payouts handed to a payment gateway, by what it said.',
  );
  readonly attempts = new Tally<'kind' | 'outcome'>(
    'affiliate_outbox_attempts_total',
    'Attempts to send a mail or to deliver to a webhook.',
    everyAttempt,
  );
  readonly #process = new ProcessMeter();
  #watched: { database: Database; clock: Clock } | undefined;

  /** From now on the figures of the database are told, too. */
  watch(database: Database, clock: Clock = systemClock): void {
    this.#watched = { database, clock };
  }

  stop(): void {
    this.#process.stop();
  }

  /** `withBacklog`: also what stands in the database, which is the same for all processes and takes a question to it. */
  async families({ withBacklog }: { withBacklog: boolean }): Promise<Family[]> {
    const own = [...this.requests.families(), this.attempts.family(), this.gatewayCalls.family(), ...this.#process.families()];
    if (!this.#watched) return own;
    const { database, clock } = this.#watched;
    const load = loadFamilies(database);
    if (!withBacklog) return [...own, ...load];
    return [...own, ...load, buildOf(database), ...(await backlogFamilies(database, clock.now()))];
  }
}

const buildOf = ({ engine }: Database): Family =>
  gauge({ name: 'affiliate_build_info', help: 'What runs here; always 1.' }, 1, { version: apiVersion, node: process.version, engine });
