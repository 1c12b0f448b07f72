import { getConnector } from '../../connectors/index.ts';
import { dayOf, localDateTime } from '../../domain/dates.ts';
import { ofAnotherShop, visitorIsUnknown } from '../../domain/order-recording/incoming.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { StoreConnection } from '../../domain/store/connection.ts';
import { paymentIsLate, paymentIsMissing } from '../../domain/store/store-facts.ts';
import { unknownStatusIn } from '../../domain/store/update.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { type Check, ok, problem, warning } from './check.ts';

const day = 86_400_000;
const maxRefusedShare = 0.05;
const maxSkew = 5 * 60_000;
const deliveriesRead = 1000;

/** Whether the connected shop sends its orders, and whether they are accepted. Nothing without a connection. */
export async function checkStoreConnection(database: UnitOfWork<Repositories>, settings: Settings, now: number): Promise<Check[]> {
  const zone = settings.store.timezone;
  const found = await database.read(async ({ connections, clicks }) => {
    const connection = await connections.active();
    if (!connection) return null;
    const [counts] = await clicks.figures({ couponId: null, campaign: null }, [{ from: dayOf(now - day, zone), to: dayOf(now, zone) }]);
    const { items: deliveries } = await connections.deliveries(connection.id, { page: 1, perPage: deliveriesRead });
    const reasons = await connections.reasons(connection.id, 0);
    const recentReasons = await connections.reasons(connection.id, now - 3 * day);
    const topics = await connections.topics(connection.id);
    return {
      connection,
      clicks: counts?.clicks ?? 0,
      deliveries,
      reasons,
      recentReasons,
      topics,
      newest: await connections.newestModification(),
    };
  });
  if (!found) return [];
  const { connection, clicks, deliveries, reasons, recentReasons, topics, newest } = found;
  if (connection.encryptedSecret === null)
    return [problem('store', `Everything is refused until the secret is set: affiliate store secret ${connection.id} --secret-stdin.`)];
  const recent = deliveries.filter(({ receivedAt }) => receivedAt > now - day);
  const refused = recent.filter(({ outcome }) => outcome === 'refused');
  const foreign = reasons.find(({ reason }) => reason === ofAnotherShop)?.count ?? 0;
  const unknownVisitors = reasons.find(({ reason }) => reason === visitorIsUnknown)?.count ?? 0;
  const unknown = reasons
    .flatMap(({ reason }) => unknownStatusIn(reason) ?? [])
    .filter((status) => !Object.hasOwn(settings.store.statuses, status));
  const isSilent = recent.length === 0 && clicks > 0 && connection.createdAt < now - day;
  const checks = [
    ...(isSilent
      ? [
          warning(
            'store',
            `The shop has sent nothing for a day, but ${clicks} clicks were recorded. Look at its webhooks: they may be disabled.`,
          ),
        ]
      : []),
    ...(refused.length > recent.length * maxRefusedShare
      ? [
          warning(
            'store',
            `${refused.length} of the last ${recent.length} deliveries were refused, the last one because: ${refused[0]?.reason} ` +
              `affiliate store deliveries ${connection.id} lists them.`,
          ),
        ]
      : []),
    ...(foreign > 0
      ? [
          warning(
            'store',
            `Deliveries within 30 days that were refused, because another shop had orders with their numbers before: ${foreign}. ` +
              `affiliate store deliveries ${connection.id} lists them.`,
          ),
        ]
      : []),
    ...(unknownVisitors > 0
      ? [
          warning(
            'store',
            `Deliveries within 30 days of orders without commission, whose visitor has no known click: ${unknownVisitors}. If there are more than a ` +
              'few, clicks are lost: look at attribution.window_days, and whether the shop keeps the visitor of affiliate.js.',
          ),
        ]
      : []),
    ...(unknown.length > 0
      ? [
          warning(
            'store',
            `Orders of the shop had statuses that store.statuses does not name: ${unknown.join(', ')}. They count as processing, and granted ` +
              `commission stays. affiliate settings set store.statuses '{"${unknown[0]}":"cancelled"}' says what they mean.`,
          ),
        ]
      : []),
    ...findMissingTopics(connection, topics, now),
    ...findLostRefunds(connection, recentReasons),
    ...(newest !== null && newest > now + maxSkew
      ? [warning('store', 'The shop sends orders that were changed in the future. Set the clock of the shop, or of this machine.')]
      : []),
  ];
  const pulled = connection.pulledAt === null ? '' : ` Last pull: ${localDateTime(connection.pulledAt, zone).replace('T', ' ')}.`;
  return checks.length > 0 ? checks : [ok('store', `${recent.length} deliveries within a day.${pulled}`)];
}

/** Refunds are a few of a hundred payments: with fewer webhooks, none may have happened. */
const webhooksBeforeRare = 25;

/** Webhooks that the platform was not told to send, as far as those that arrived show it. */
function findMissingTopics(connection: StoreConnection, seen: readonly { topic: string; count: number }[], now: number): Check[] {
  const total = seen.reduce((sum, { count }) => sum + count, 0);
  if (total === 0 || connection.createdAt > now - day) return [];
  const { neededTopics, title } = getConnector(connection.platform);
  return neededTopics
    .filter(({ topics, isRare }) => (!isRare || total >= webhooksBeforeRare) && !seen.some(({ topic }) => topics.includes(topic)))
    .map(({ topics, purpose }) => {
      const events = topics.join(' or ');
      return warning(
        'store',
        `${title} has sent no ${events} within 30 days, which is needed to ${purpose}. Select it in the webhook there.`,
      );
    });
}

/** A refund that overtakes its payment waits for minutes, and is counted at each retry. */
const maxLate = 10;

/** Refunds that no payment was found for: the event that names both ids does not arrive. */
function findLostRefunds({ platform }: StoreConnection, reasons: readonly { reason: string; count: number }[]): Check[] {
  const countOf = (wanted: string): number => reasons.find(({ reason }) => reason === wanted)?.count ?? 0;
  const [late, missing] = [countOf(paymentIsLate), countOf(paymentIsMissing)];
  if (missing === 0 && late < maxLate) return [];
  const { paymentTopics = [], title } = getConnector(platform);
  return [
    warning(
      'store',
      `Webhooks about refunds within 3 days whose payment had not arrived: ${late + missing}. Their commission is not taken back. Select all of ` +
        `${paymentTopics.join(', ')} in the webhook at ${title}, and send these events and those of the refunds again there.`,
    ),
  ];
}
