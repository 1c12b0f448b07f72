/** Part of `npm run check`: refuses changes that break clients of openapi/released.json, except in a new major version. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runScript } from '../shared/usage.ts';
import { bundleContract, type ContractDocument } from './document.ts';
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

const releasedFile = 'openapi/released.json';
const root = 'openapi/openapi.yaml';

/** Diffs two bundles: in split files Redocly identifies parameters by index, and reports one removed parameter as ten renamed ones. */
async function diffReleased(current: ContractDocument): Promise<DiffReport> {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
  const currentFile = path.join(folder, 'openapi.json');
  try {
    writeFileSync(currentFile, JSON.stringify(current));
    const options = ['--config', 'redocly.yaml', '--format', 'json', '--fail-on', 'none'];
    const { stdout, stderr } = await runRedocly(['diff', releasedFile, currentFile, ...options]);
    if (!stdout.startsWith('{')) throw new Error(`The contracts could not be compared.\n${stdout}${stderr}`);
    return JSON.parse(stdout) as DiffReport;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Redocly counts it as another serialization, but every former request is still accepted. */
const acceptsMore = /^`allowEmptyValue` of .* was set to 'true'\.$/;

/** `openapi/paths/coupons.yaml:18 GET /coupons › response 200 › headers: …` for each major verdict of Redocly. */
const describeChange = ({ path: pointer, kind, verdicts }: Change, document: ContractDocument): string[] =>
  verdicts
    .filter(({ impact, message }) => impact === 'major' && !acceptsMore.test(message))
    .map(({ message, ruleId, location }) => {
      const before = `${releasedFile}:${location.line}`;
      const place = findPlace(location.pointer);
      const shown = place && kind === 'removed' ? `${place} (was ${before})` : (place ?? before);
      return `${shown} ${describePointer(pointer, document)}: ${message} (${ruleId})`;
    });

function findPlace(pointer: string): string | undefined {
  const { file, keys } = findSource(pointer);
  const source = path.join(path.dirname(root), file);
  return existsSync(source) ? `${source}:${findPosition(readFileSync(source, 'utf8'), keys).line}` : undefined;
}

const majorOf = (version: string): number => Number(version.split('.')[0]);

await runScript(async () => {
  const current = await bundleContract(root);
  const released = JSON.parse(readFileSync(releasedFile, 'utf8')) as ContractDocument;
  const { infoVersions, changes } = await diffReleased(current);
  const breaking = [
    ...changes.flatMap((change) => describeChange(change, change.kind === 'removed' ? released : current)),
    ...findNarrowings(released, current).map(
      ({ pointer, field, message }) =>
        `${findPlace(`${pointer}/${field}`) ?? root} ${describePointer(pointer, current)} › ${field}: ${message}`,
    ),
  ];
  for (const line of breaking) console.log(line);
  const { base, revision } = infoVersions;
  if (breaking.length > 0 && majorOf(revision) <= majorOf(base))
    throw new Error(
      `${breaking.length} change(s) above break clients of the released contract ${base}. Revert them, or make a new major version: ` +
        `info.version in ${root} is ${revision}, and the namespace in servers must follow it.`,
    );
  console.log(`${revision} has no breaking change against ${base} outside a new major version`);
});
