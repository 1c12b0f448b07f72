import type { Dataset } from './dataset/dataset.ts';
import type { Engine, SizeName } from './dataset/sizes.ts';
import type { Reading } from './figures.ts';
import { importing, ingest } from './ingest.ts';
import { rebuild } from './rebuild.ts';
import { startUp } from './start-up.ts';

/** What is no request that one could ask again and again. */
export interface SpecialRow {
  name: string;
  title: string;
  engines: readonly Engine[];
  sizes: readonly SizeName[];
  measure(dataset: Dataset, rounds: number): Promise<Reading[]>;
}

const both: readonly Engine[] = ['sqlite', 'postgres'];

export const specialRows: readonly SpecialRow[] = [
  { name: 'ingest', title: 'Orders one by one, 32 clients, durable', engines: both, sizes: ['100k'], measure: ingest },
  { name: 'import', title: 'affiliate import, orders', engines: both, sizes: ['1k'], measure: importing },
  {
    name: 'rebuild',
    title: 'Longest wait of another request while a coupon of 100,000 orders is rebuilt',
    engines: both,
    sizes: ['100k'],
    measure: rebuild,
  },
  { name: 'start', title: 'Start to listening, and memory', engines: both, sizes: ['1k'], measure: startUp },
];
