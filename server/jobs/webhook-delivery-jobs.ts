import type { Logger } from 'pino';
import type { Clock } from '../../domain/clock.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Secrets } from '../../domain/master-key/secrets.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import {
  type ClaimedDelivery,
  type DeliveryOutcome,
  deliveryName,
  type SendWebhook,
  type UrlRules,
} from '../../domain/webhooks/delivery.ts';
import {
  type AttemptedDelivery,
  type Capacity,
  claimDeliveries,
  nextDueAt,
  releaseDeliveries,
  settleDeliveries,
} from '../../domain/webhooks/delivery-queue.ts';
import { probeMilliseconds } from '../../domain/webhooks/health.ts';
import { createMessage } from '../../domain/webhooks/message.ts';
import { isSuccess, maxRetryDelays } from '../../domain/webhooks/schedule.ts';
import { findUrlProblem } from '../../domain/webhooks/url-rules.ts';
import { hasReadableSecret } from '../../domain/webhooks/webhook.ts';
import { buildProgram } from '../../site/program.ts';
import { isAddOnActive } from '../../site/served.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import type { Configuration } from '../configuration.ts';
import { getUrlRules } from '../webhooks/send.ts';
import { ClockRollback, type CompletedJob, type JobSource } from './job-runner.ts';

export interface DeliveryJobOptions {
  storage: UnitOfWork<Repositories>;
  settings: Pick<SiteSettings, 'current'>;
  clock: Clock;
  log: Logger;
  random: SecureRandom;
  secrets: Secrets;
  send: SendWebhook;
  configuration: Pick<Configuration, 'environment'>;
  leaseMilliseconds: number;
}

// At most 5 in flight per webhook, 50 in all.
const perWebhook = 5;
const inAll = 50;

/** How long this process skips a webhook that it cannot serve. The operator may have corrected the configuration by then. */
const skipMilliseconds = 60_000;

/** Delays a delivery that was not tried, so that processes that all cannot send it do not claim it in a loop. */
const releaseDelayMilliseconds = 1000;

export function createWebhookDeliveryJobs(parts: DeliveryJobOptions): JobSource<ClaimedDelivery, DeliveryOutcome | NotTried> {
  const { storage, settings, clock, random, leaseMilliseconds } = parts;
  const skipped = new SkipList(skipMilliseconds);
  const rollback = new ClockRollback();
  const longest = { lease: leaseMilliseconds, waits: maxRetryDelays, probe: probeMilliseconds };
  const capacity = (claimed: readonly ClaimedDelivery[]): Capacity => {
    const counted = claimed.map(({ webhookId }) => webhookId);
    const closed = skipped.at(clock.now()).flatMap((id) => Array.from({ length: perWebhook }, () => id));
    return { perWebhook, inFlight: counts([...counted, ...closed]) };
  };
  return {
    name: 'webhooks',
    concurrency: inAll,
    gatherMs: 0,
    async hasDue(claimed) {
      if (!isAddOnActive('webhooks', await settings.current())) return false;
      const now = clock.now();
      await rollback.check(now, () => storage.write(({ deliveries }) => deliveries.clampSchedule(now, longest), 'read-committed'));
      const dueAt = await storage.query((db) => nextDueAt(db, capacity(claimed)));
      return dueAt !== null && dueAt <= clock.now();
    },
    async send(claimed) {
      const outcome = await sendOne(claimed, parts);
      if (outcome.kind === 'not tried') {
        const isNew = skipped.add(claimed.webhookId, clock.now());
        if (isNew) parts.log.error({ webhook: claimed.webhookId, reason: outcome.reason }, 'a webhook cannot be served by this process');
      } else if (!isSuccess(outcome)) parts.log.info(logFields(claimed, outcome), 'a webhook was not delivered');
      return outcome;
    },
    async settleAndClaim(ended, limit, claimed) {
      const current = await settings.current();
      return storage.write(async (transaction) => {
        const now = clock.now();
        await settleDeliveries(transaction, ended.flatMap(tried), { now, random, program: buildProgram(current) });
        await releaseDeliveries(transaction, ended.flatMap(notTried), now + releaseDelayMilliseconds);
        if (limit === 0 || !isAddOnActive('webhooks', current)) return [];
        return claimDeliveries(transaction, { now, leaseMilliseconds, limit, ...capacity(claimed) });
      }, 'read-committed');
    },
    release: (claimed) => storage.write((transaction) => releaseDeliveries(transaction, claimed, clock.now()), 'read-committed'),
  };
}

/** For a reason of this process, not of the receiver: the delivery is released unchanged, for another process that can send it. */
interface NotTried {
  kind: 'not tried';
  reason: string;
}

type Finished = CompletedJob<ClaimedDelivery, DeliveryOutcome | NotTried>;

const tried = ({ job, outcome }: Finished): AttemptedDelivery[] => (outcome.kind === 'not tried' ? [] : [{ claimed: job, outcome }]);

const notTried = ({ job, outcome }: Finished): ClaimedDelivery[] => (outcome.kind === 'not tried' ? [job] : []);

/** Without URL and response: receivers put secrets into both. */
const logFields = ({ id, webhookId, event, attempt }: ClaimedDelivery, outcome: DeliveryOutcome): Record<string, unknown> => ({
  delivery: deliveryName(id),
  webhook: webhookId,
  event,
  attempt,
  ...(outcome.kind === 'answered' ? { code: outcome.code } : { failure: outcome.failure }),
  milliseconds: outcome.milliseconds,
});

function counts(ids: readonly number[]): Map<number, number> {
  return new Map([...groupBy(ids, (id) => id)].map(([id, those]) => [id, those.length]));
}

async function sendOne(claimed: ClaimedDelivery, parts: DeliveryJobOptions): Promise<DeliveryOutcome | NotTried> {
  const { settings, clock, secrets, send, configuration } = parts;
  const current = await settings.current();
  // The current rules: an address that was allowed when the webhook was created may no longer be.
  const rules = getUrlRules(current, configuration);
  const reason = findObstacle(claimed, rules, parts);
  if (reason !== null) return { kind: 'not tried', reason };
  return send(createMessage(claimed, { site: current.store.url, secrets, now: clock.now() }), rules);
}

/**
 * Why this process cannot send the delivery, whatever the receiver: the process that created the webhook may have had another master key or
 * other URL rules. Addresses that a name resolves to are checked when it is sent.
 */
function findObstacle(claimed: ClaimedDelivery, rules: UrlRules, { secrets, configuration }: DeliveryJobOptions): string | null {
  if (!hasReadableSecret({ ...claimed, id: claimed.webhookId }, secrets))
    return 'Its signing secret was made with another MASTER_KEY (or key in DATA_DIR) than this process has.';
  const problem = findUrlProblem(claimed.url, rules);
  return problem && `${problem} This process has ENVIRONMENT=${configuration.environment}; webhooks.ports are ${rules.ports.join(', ')}.`;
}

/** Jobs that this process cannot do, for a while: it does not claim them, so that other processes can. */
class SkipList {
  readonly #milliseconds: number;
  readonly #until = new Map<number, number>();

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** False for an id that is skipped already. */
  add(id: number, now: number): boolean {
    const isNew = !this.at(now).includes(id);
    this.#until.set(id, now + this.#milliseconds);
    return isNew;
  }

  at(now: number): number[] {
    for (const [id, until] of this.#until) {
      // Further ahead than any entry can be: the clock was set back.
      if (until <= now || until > now + this.#milliseconds) this.#until.delete(id);
    }
    return [...this.#until.keys()];
  }
}
