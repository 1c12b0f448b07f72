import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleContract, type ContractDocument } from './document.ts';
import { describePointer, findLine, findSource } from './location.ts';
import { findNarrowings } from './narrowed-access.ts';
import { runRedocly } from './redocly.ts';

interface DiffReport {
  infoVersions: { base: string; revision: string };
  changes: Change[];
}

interface Change {
  path: string;
  kind: string;
  verdicts: { impact: string; message: string; ruleId: string; location: { pointer: string; line: number } }[];
}

export interface BreakingChange {
  /** `openapi/paths/coupons.yaml:18`: where it is, or what held it. */
  place: string;
  /** `GET /coupons › response 200 › headers`. */
  subject: string;
  message: string;
}

export interface Comparison {
  released: string;
  current: string;
  breaking: BreakingChange[];
}

/** Compares two contracts with Redocly's rules of what breaks a client, and with our own about the fields that it does not know. */
export function compareContracts(releasedFile: string, root: string, config: string): Comparison {
  const current = bundleContract(root);
  const released = JSON.parse(readFileSync(releasedFile, 'utf8')) as ContractDocument;
  const { infoVersions, changes } = diff(releasedFile, current, config);
  const folder = path.dirname(root);
  const subjectOf = ({ path: pointer, kind }: Change) => describePointer(pointer, kind === 'removed' ? released : current);
  return {
    released: infoVersions.base,
    current: infoVersions.revision,
    breaking: [
      ...changes.flatMap((change) =>
        verdictsOn(change, releasedFile, folder).map((verdict) => ({ ...verdict, subject: subjectOf(change) })),
      ),
      ...findNarrowings(released, current).map(({ pointer, field, message }) => ({
        place: placeOf(`${pointer}/${field}`, folder) ?? root,
        subject: `${describePointer(pointer, current)} › ${field}`,
        message,
      })),
    ],
  };
}

/** Bundle with bundle: against the split files, Redocly knows parameters by their number alone, and calls one that is gone ten renamed ones. */
function diff(releasedFile: string, current: ContractDocument, config: string): DiffReport {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
  const currentFile = path.join(folder, 'openapi.json');
  try {
    writeFileSync(currentFile, JSON.stringify(current));
    const { stdout, stderr } = runRedocly(['diff', releasedFile, currentFile, '--config', config, '--format', 'json', '--fail-on', 'none']);
    if (!stdout.startsWith('{')) throw new Error(`The contracts could not be compared.\n${stdout}${stderr}`);
    return JSON.parse(stdout) as DiffReport;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function verdictsOn({ kind, verdicts }: Change, releasedFile: string, folder: string): Omit<BreakingChange, 'subject'>[] {
  return verdicts
    .filter(({ impact }) => impact === 'major')
    .map(({ message, ruleId, location }) => {
      const was = `${releasedFile}:${location.line}`;
      const place = placeOf(location.pointer, folder);
      return { place: place && kind === 'removed' ? `${place} (was ${was})` : (place ?? was), message: `${message} (${ruleId})` };
    });
}

function placeOf(pointer: string, folder: string): string | undefined {
  const { file, keys } = findSource(pointer);
  const whole = path.join(folder, file);
  return existsSync(whole) ? `${whole}:${findLine(readFileSync(whole, 'utf8'), keys)}` : undefined;
}

const major = (version: string): number => Number(version.split('.')[0]);

/** Breaking a client is allowed in a new major version, and nowhere else. */
export const isAllowed = ({ released, current, breaking }: Comparison): boolean =>
  breaking.length === 0 || major(current) > major(released);
