import type { PayoutPolicy } from '../../domain/payouts/create.ts';
import type { UnitOfWork } from '../../domain/ports.ts';
import type { Program } from '../../domain/program.ts';
import { openSettings } from '../../server/settings.ts';
import { buildPayoutPolicy } from '../../site/payout-rules.ts';
import { buildProgram } from '../../site/program.ts';

export const shopZone = 'Europe/Berlin';

/** What the operator of the demo store decided. Two weeks of clearing, so that there is commission that is not cleared yet. */
const decided: Record<string, unknown> = {
  'store.name': 'Fjell Outdoor',
  'store.url': 'https://fjell.example',
  'store.currency': 'EUR',
  'store.timezone': shopZone,
  'commission.percent': 10,
  'commission.clearing_days': 14,
  'multi_level.rates': [10, 5],
  'payouts.threshold': 50,
};

export async function openShop(storage: UnitOfWork): Promise<{ program: Program; policy: PayoutPolicy }> {
  const settings = openSettings(storage);
  for (const [path, value] of Object.entries(decided)) await settings.set(path, value);
  const current = await settings.current();
  // Its payouts are looked at by people, so it needs no gateway.
  return { program: buildProgram(current), policy: buildPayoutPolicy(current, new Map()) };
}
