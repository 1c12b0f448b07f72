import * as all from './all.ts';
import type { Migration } from './migration.ts';

/** In the order in which they run: by the time in their names. A released migration is never changed; a further one corrects it. */
export const migrations: readonly Migration[] = Object.values(all).toSorted((one, other) => (one.name < other.name ? -1 : 1));
