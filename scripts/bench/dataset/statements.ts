import { events } from './events.ts';
import { keyStatements, sealedDetails } from './keys.ts';
import { clicks, figures, orders, people, programDays } from './orders.ts';
import { ledger, payouts } from './payouts.ts';
import type { Engine, Size } from './sizes.ts';
import { wordsOf } from './words.ts';

const raised = ['authenticated', 'anonymous'].map((who) => `insert into settings (path, value) values ('limits.${who}', '1000000')`);

/** All that fills an empty database, in its order. Tables that follow from others are worked out from them, so that all agree. */
export function statements(engine: Engine, size: Size, sealed = sealedDetails()): string[] {
  const words = wordsOf(engine);
  return [
    ...raised,
    ...people(size, words, sealed),
    ...keyStatements(size.coupons + 1),
    ...orders(size, words),
    ...figures(),
    ...clicks(size, words),
    // No trigger watches while PostgreSQL is filled.
    ...(engine === 'postgres' ? programDays() : []),
    ...payouts(words),
    ...ledger(),
    ...events(size, words),
  ];
}
