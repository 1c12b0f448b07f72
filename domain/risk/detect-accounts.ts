import { groupBy } from '../group-by.ts';
import type { Detection } from './detect-orders.ts';
import type { Partner } from './facts.ts';
import { isDestinationLink } from './links.ts';
import { formatCount } from './rules.ts';
import type { Finding, Occurrence } from './signal.ts';

/** Users who have something in common with these, and these themselves: one finding for each of them. */
export async function detectSharedAccounts(userIds: readonly number[], { facts, rules }: Detection): Promise<Finding[]> {
  const partners = await facts.partners(userIds);
  const involved = [...new Set(partners.flatMap(({ userId, partnerId }) => [userId, partnerId]))];
  if (involved.length === 0) return [];
  const all = [...groupBy(await facts.partners(involved), ({ userId }) => userId)];
  return all.flatMap(([userId, own]) => {
    const [destinations, others] = [own.filter(isOfDestination), own.filter((partner) => !isOfDestination(partner))];
    return [
      ...(destinations.length > 0 && rules.enabled.has('shared_destination') ? [sharedDestination(userId, destinations)] : []),
      ...(others.length > 0 && rules.enabled.has('related_accounts') ? [relatedAccounts(userId, others)] : []),
    ];
  });
}

const isOfDestination = ({ link }: Partner): boolean => isDestinationLink(link);

const occurrencesOf = (partners: readonly Partner[], describe: (partner: Partner) => string): Occurrence[] =>
  partners.map((partner) => ({
    key: `${partner.link} ${partner.partnerId}`,
    text: describe(partner),
    orderId: null,
    payoutId: null,
    at: partner.since,
  }));

const sharedDestination = (userId: number, partners: readonly Partner[]): Finding => ({
  kind: 'shared_destination',
  userId,
  couponId: null,
  text: (count) => `The payout destination is the same as that of others: ${formatCount(count, 'user')}.`,
  occurrences: occurrencesOf(partners, ({ partnerId, isLater }) =>
    isLater ? `User ${partnerId} has the same payout destination.` : `User ${partnerId} saved the same payout destination later.`,
  ).map((occurrence, at) => ({
    ...occurrence,
    // Otherwise a stranger could hold the payouts of others by saving their destination.
    severity: partners[at]?.isLater ? ('high' as const) : ('low' as const),
  })),
});

const commonThings: Record<string, string> = { email: 'email address without its tag', website: 'website', invoice: 'invoice file' };

const relatedAccounts = (userId: number, partners: readonly Partner[]): Finding => ({
  kind: 'related_accounts',
  userId,
  couponId: null,
  text: (count) =>
    `An email address, a website or an invoice file is the same as that of other affiliates: ${formatCount(count, 'match', 'matches')}.`,
  occurrences: occurrencesOf(
    partners,
    ({ link, partnerId }) => `User ${partnerId} has the same ${commonThings[link.split(':')[0] ?? ''] ?? 'account'}.`,
  ),
});
