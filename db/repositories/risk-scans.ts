import type { EntityManager } from 'typeorm';
import type { ScanRepository } from '../../domain/risk/facts.ts';
import { riskChanges, riskLease, riskLinks, riskProgress } from '../entities/risk.ts';
import { assignExcluded, insertRows, isAmong, jsonRows, jsonTable } from '../sql/insert.ts';
import { projectionOf } from '../sql/projection.ts';

// By hand and set-based: one statement for any number of users or coupons.

const progress = projectionOf(riskProgress, ['ordersVersion', 'clicks']);

export const scanRepository = (manager: EntityManager): ScanRepository => ({
  claim: async (holder, now, until) => {
    const lease = manager.createQueryBuilder().update(riskLease).set({ holder, expiresAt: until });
    const { affected } = await lease.where('id = 1 and (holder = :holder or expires_at <= :now)', { holder, now }).execute();
    return affected === 1;
  },
  saveProgress: async (coupons) =>
    void (await insertRows(
      manager,
      riskProgress,
      coupons.map(({ couponId, ordersVersion, clicks }) => ({ couponId, ordersVersion, clicks })),
      `on conflict (coupon_id) do update set ${assignExcluded(progress)}`,
    )),
  clearChanges: async (changes) => {
    const given = jsonTable(manager, { user_id: 'bigint', version: 'bigint' });
    await manager.query(
      `delete from risk_changes where (user_id, version) in (select user_id, version from ${given} as given)`,
      jsonRows(changes.map(({ userId, version }) => [userId, version])),
    );
  },
  addChanges: async (userIds) =>
    void (await insertRows(
      manager,
      riskChanges,
      userIds.map((userId) => ({ userId, version: 0 })),
      'on conflict (user_id) do update set version = risk_changes.version + 1',
    )),
  replaceLinks: async (userIds, links, now) => {
    const given = [JSON.stringify(userIds), JSON.stringify(links.map(({ userId, link }) => [userId, link]))];
    const isGone = `user_id ${isAmong(manager, 'bigint')}
      and not exists (select 1 from ${linkTable(manager)} as kept where kept.user_id = risk_links.user_id and kept.link = risk_links.link)`;
    await manager.query(`delete from risk_links where ${isGone} and not ${wasPaid}`, given);
    await manager.query(`update risk_links set is_current = 0 where ${isGone}`, given);
    await insertRows(
      manager,
      riskLinks,
      links.map((link) => ({ ...link, seenAt: now, isCurrent: true })),
      'on conflict (user_id, link) do update set is_current = 1',
    );
  },
});

/** Whether the user was paid by a destination. An erased user has no details, and no such memory. */
const wasPaid = `(link like 'destination:%'
  and exists (select 1 from payout_details where payout_details.user_id = risk_links.user_id)
  and exists (select 1 from payouts where payouts.user_id = risk_links.user_id and payouts.status = 'paid' and payouts.paid_at >= risk_links.since))`;

/** `jsonTable` of `$2`. */
const linkTable = (manager: EntityManager): string => jsonTable(manager, { user_id: 'bigint', link: 'text' }).replaceAll('$1', '$2');
