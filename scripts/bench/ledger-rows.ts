import { copyDataset, type Datasets } from './dataset/dataset.ts';
import type { OtherRow, Sample, Sampler } from './results.ts';
import { runCommand } from './targets.ts';

/** Rows of the ledger and digests: a movement has two rows, and every record one digest. */
const rowsOf = (out: string): number => {
  const { ledger_row: ledgerRows, digest: digests } = JSON.parse(out) as { ledger_row: number; digest: number };
  return ledgerRows + digests;
};

/** The first seals of a database that has none, which also digest every record; then the proof of all of them. By row. */
const samplers =
  (measured: 'head' | 'verify') =>
  (datasets: Datasets): Sampler[] => [
    {
      target: 'service',
      async sample(): Promise<Sample> {
        const copy = await copyDataset(datasets.service, 'ledger');
        try {
          const sealed = await runCommand(copy.checkout, copy.url, ['ledger', 'head', '--json']);
          const rows = rowsOf(sealed.out);
          const { cpuMicros, seconds } =
            measured === 'head' ? sealed : await runCommand(copy.checkout, copy.url, ['ledger', 'verify', '--json']);
          return { cpuMicros: cpuMicros / rows, perSecond: rows / seconds };
        } finally {
          await copy.remove();
        }
      },
    },
  ];

export const ledgerRows: readonly OtherRow[] = [
  { name: 'ledger-head', title: 'affiliate ledger head, first seals of a large ledger, by row', size: '2m', samplers: samplers('head') },
  { name: 'ledger-verify', title: 'affiliate ledger verify of a sealed ledger, by row', size: '2m', samplers: samplers('verify') },
];
