import { copyDataset, type Dataset } from './dataset/dataset.ts';
import { removeSeals } from './dataset/seals.ts';
import type { ProcessResult } from './processes.ts';
import type { OtherRow, Sample } from './results.ts';
import { runCommand } from './targets.ts';

const runHead = ({ checkout, url }: Dataset): Promise<ProcessResult> => runCommand(checkout, url, ['ledger', 'head', '--json']);

/** Rows of the ledger and digests that the head covers: a movement has two rows, and every record one digest at least. */
const rowsOf = ({ out }: ProcessResult): number => {
  const { ledger_row: ledgerRows, digest: digests } = JSON.parse(out) as { ledger_row: number; digest: number };
  return ledgerRows + digests;
};

const byRow = ({ cpuMicros, seconds }: ProcessResult, rows: number): Sample => ({ cpuMicros: cpuMicros / rows, perSecond: rows / seconds });

/** The first seals, which also digest every record. */
async function sampleHead(dataset: Dataset): Promise<Sample> {
  const copy = await copyDataset(dataset, 'ledger', removeSeals(dataset.engine));
  try {
    const sealed = await runHead(copy);
    return byRow(sealed, rowsOf(sealed));
  } finally {
    await copy.remove();
  }
}

/** Data sets are sealed: the head seals nothing here. */
async function sampleVerify(dataset: Dataset): Promise<Sample> {
  const rows = rowsOf(await runHead(dataset));
  return byRow(await runCommand(dataset.checkout, dataset.url, ['ledger', 'verify', '--json']), rows);
}

const ledgerRow = (name: string, title: string, sample: (dataset: Dataset) => Promise<Sample>): OtherRow => ({
  ...{ name, title, sizes: ['100k'] },
  samplers: ({ service }) => [{ target: 'service', sample: () => sample(service) }],
});

export const ledgerRows: readonly OtherRow[] = [
  ledgerRow('ledger-head', 'affiliate ledger head, first seals of a large ledger, by row', sampleHead),
  ledgerRow('ledger-verify', 'affiliate ledger verify of a sealed ledger, by row', sampleVerify),
];
