import { migration } from './migration.ts';

/** Of users with one payout destination only who saved it later is held, so that severity is one of the signal. */
export const rankSharedDestinations = migration('rank-shared-destinations-2026111900130', async (run) => {
  await run('alter table risk_links add column since bigint not null default 0');
  await run('alter table risk_links add column is_current bigint not null default 1');
  // Details that were changed later may have had the destination before.
  await run(`
    update risk_links set since = coalesce(
      (select updated_at from payout_details where payout_details.user_id = risk_links.user_id
        and updated_at < risk_links.seen_at and risk_links.link like 'destination:%'),
      seen_at)`);
  await run("alter table risk_signals add column severity text not null default 'medium'");
  await run(`
    update risk_signals set severity = case
      when kind in ('refund_after_payout', 'debt', 'details_changed', 'shared_destination') then 'high'
      when kind in ('related_accounts', 'click_spike', 'high_commission') then 'low'
      else 'medium' end`);
  await run(`
    update risk_signals set severity = 'low'
    where kind = 'shared_destination' and exists (
      select 1 from risk_links as own join risk_links as other on other.link = own.link and other.user_id <> own.user_id
      where own.user_id = risk_signals.user_id and own.link like 'destination:%')
    and not exists (
      select 1 from risk_links as own join risk_links as other on other.link = own.link and other.user_id <> own.user_id
      where own.user_id = risk_signals.user_id and own.link like 'destination:%'
        and (other.since < own.since or other.since = own.since and other.user_id < own.user_id))`);
});
