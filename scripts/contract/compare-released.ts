import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleContract, type ContractDocument } from './document.ts';
import { findLostPromises } from './lost-promises.ts';
import { findNarrowings } from './narrowed-access.ts';
import { describePointer, findPosition, findSource } from './pointer.ts';
import { runRedocly } from './redocly.ts';

/** Redocly's report of `diff --format json`. */
interface DiffReport {
  infoVersions: { base: string; revision: string };
  changes: Change[];
}

interface Change {
  path: string;
  kind: string;
  verdicts: { impact: string; message: string; ruleId: string; location: { pointer: string; line: number } }[];
}

export const releasedFile = 'openapi/released.json';
const root = 'openapi/openapi.yaml';

/** Diffs two bundles: in split files Redocly identifies parameters by index, and reports one removed parameter as ten renamed ones. */
async function diffReleased(current: ContractDocument, run: typeof runRedocly): Promise<DiffReport> {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
  const currentFile = path.join(folder, 'openapi.json');
  try {
    writeFileSync(currentFile, JSON.stringify(current));
    const options = ['--config', 'redocly.yaml', '--format', 'json', '--fail-on', 'none'];
    const { stdout, stderr } = await run(['diff', releasedFile, currentFile, ...options]);
    const start = stdout.indexOf('{');
    if (start < 0) throw new Error(`The contracts could not be compared.\n${stdout}${stderr}`);
    return JSON.parse(stdout.slice(start)) as DiffReport;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A change that breaks clients of the released contract. */
export interface BreakingChange {
  /** In the YAML, or in the released contract where that has no such file any more. */
  file: string;
  line: number;
  /** The place in the released contract, if the change is a removal. */
  before: string | null;
  /** `GET /coupons › response 200 › headers: …` */
  sentence: string;
}

export const formatChange = ({ file, line, before, sentence }: BreakingChange): string =>
  `${file}:${line}${before ? ` (was ${before})` : ''} ${sentence}`;

/** The major verdicts of Redocly. */
const describeChange = ({ path: pointer, kind, verdicts }: Change, document: ContractDocument): BreakingChange[] =>
  verdicts
    .filter(({ impact }) => impact === 'major')
    .map(({ message, ruleId, location }) => {
      const released = { file: releasedFile, line: location.line };
      const place = findPlace(location.pointer);
      const before = place && kind === 'removed' ? `${released.file}:${released.line}` : null;
      return { ...(place ?? released), before, sentence: `${describePointer(pointer, document)}: ${message} (${ruleId})` };
    });

function findPlace(pointer: string): { file: string; line: number } | undefined {
  const { file, keys } = findSource(pointer);
  const source = path.join(path.dirname(root), file);
  return existsSync(source) ? { file: source, line: findPosition(readFileSync(source, 'utf8'), keys).line } : undefined;
}

const majorOf = (version: string): number => Number(version.split('.')[0]);

export interface Comparison {
  base: string;
  revision: string;
  breaking: BreakingChange[];
  /** Whether breaking changes are allowed. */
  isNewMajor: boolean;
}

/** Compares the contract on the disk with openapi/released.json. */
export async function compareWithReleased(run = runRedocly): Promise<Comparison> {
  const current = await bundleContract(root, run);
  const released = JSON.parse(readFileSync(releasedFile, 'utf8')) as ContractDocument;
  const { infoVersions, changes } = await diffReleased(current, run);
  const breaking = [
    ...changes.flatMap((change) => describeChange(change, change.kind === 'removed' ? released : current)),
    ...[...findNarrowings(released, current), ...findLostPromises(released, current)].map(({ pointer, field, message }) => ({
      ...(findPlace(`${pointer}/${field}`) ?? { file: root, line: 1 }),
      before: null,
      sentence: `${describePointer(pointer, current)} › ${field}: ${message}`,
    })),
  ];
  const { base, revision } = infoVersions;
  return { base, revision, breaking, isNewMajor: majorOf(revision) > majorOf(base) };
}
