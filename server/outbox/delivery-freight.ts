import type { Logger } from 'pino';
import type { Clock } from '../../domain/clock.ts';
import type { UnitOfWork } from '../../domain/ports.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Secrets } from '../../domain/secrets.ts';
import { type Capacity, claimDeliveries, nextDueAt, releaseDeliveries } from '../../domain/webhooks/claim.ts';
import { type ClaimedDelivery, deliveryName } from '../../domain/webhooks/delivery.ts';
import { messageOf } from '../../domain/webhooks/message.ts';
import { isSuccess } from '../../domain/webhooks/schedule.ts';
import type { Outcome, SendWebhook, WebhookMessage } from '../../domain/webhooks/sending.ts';
import { settleDelivery } from '../../domain/webhooks/settle.ts';
import { programOf } from '../../site/program.ts';
import { isActive } from '../../site/served.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import type { Configuration } from '../configuration.ts';
import { urlRulesOf } from '../webhooks/rules.ts';
import type { Freight } from './lane.ts';

export interface DeliveryParts {
  storage: UnitOfWork;
  settings: Pick<SiteSettings, 'current'>;
  clock: Clock;
  log: Logger;
  random: SecureRandom;
  secrets: Secrets;
  send: SendWebhook;
  configuration: Pick<Configuration, 'environment'>;
  leaseMilliseconds: number;
}

// Decision 10: at most 5 in flight per webhook, 50 in all.
const perWebhook = 5;
const inAll = 50;

export function deliveryFreight(parts: DeliveryParts): Freight<ClaimedDelivery, Outcome> {
  const { storage, settings, clock, random, leaseMilliseconds } = parts;
  return {
    name: 'webhooks',
    atOnce: inAll,
    async anyDue(onTheWay) {
      if (!isActive('webhooks', await settings.current())) return false;
      const dueAt = await storage.read((stores) => nextDueAt(stores, capacityBeside(onTheWay)));
      return dueAt !== null && dueAt <= clock.now();
    },
    async send(claimed) {
      const outcome = await sendOne(claimed, parts);
      if (!isSuccess(outcome)) parts.log.info(inTheLog(claimed, outcome), 'a webhook was not delivered');
      return outcome;
    },
    async exchange(ended, limit, onTheWay) {
      const current = await settings.current();
      return storage.write(async (transaction) => {
        const now = clock.now();
        for (const { job, outcome } of ended) await settleDelivery(transaction, job, outcome, { now, random, program: programOf(current) });
        if (limit === 0 || !isActive('webhooks', current)) return [];
        return claimDeliveries(transaction, { now, leaseMilliseconds, limit, ...capacityBeside(onTheWay) });
      });
    },
    release: (claimed) => storage.write((transaction) => releaseDeliveries(transaction, claimed, clock.now())),
  };
}

/** Neither where it went nor what was said: receivers put secrets into both. */
const inTheLog = ({ id, webhookId, event, attempt }: ClaimedDelivery, outcome: Outcome): Record<string, unknown> => ({
  delivery: deliveryName(id),
  webhook: webhookId,
  event,
  attempt,
  ...(outcome.kind === 'answered' ? { code: outcome.code } : { failure: outcome.failure }),
  milliseconds: outcome.milliseconds,
});

function capacityBeside(onTheWay: readonly ClaimedDelivery[]): Capacity {
  const inFlight = new Map<number, number>();
  for (const { webhookId } of onTheWay) inFlight.set(webhookId, (inFlight.get(webhookId) ?? 0) + 1);
  return { perWebhook, inFlight };
}

/** The rules of this very moment: an address that was allowed when the webhook was made may not be any more. */
async function sendOne(claimed: ClaimedDelivery, { settings, clock, secrets, send, configuration }: DeliveryParts): Promise<Outcome> {
  const current = await settings.current();
  let message: WebhookMessage;
  try {
    message = messageOf(claimed, { site: current.store.url, secrets, now: clock.now() });
  } catch (error) {
    // Encrypted with another master key. It may come back, so it counts as any other failure.
    return { kind: 'failed', failure: 'other', message: (error as Error).message, milliseconds: 0 };
  }
  return send(message, urlRulesOf(current, configuration));
}
