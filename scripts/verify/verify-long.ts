import { parseArgs } from 'node:util';
import { formatTable } from '../../cli/terminal/table.ts';
import { type Proof, proofs } from './long-checks.ts';
import { logOf, type Proved, runProof } from './run-check.ts';

const help = `npm run prove                  every long proof: over an hour on two cores
npm run prove -- kills nodes   only these
npm run prove -- --list        what there is
PROVE_KILLS=200 npm run prove -- kills   how often: each number is said at the top of its tests`;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: 'boolean' }, help: { type: 'boolean' } } });

const unknown = positionals.find((name) => !proofs.some((proof) => proof.name === name));
if (values.help) console.log(help);
else if (values.list) console.log(proofs.map(({ name, what }) => `${name.padEnd(14)} ${what}`).join('\n'));
else if (unknown !== undefined) refuse(`There is no proof ${unknown}. There are ${proofs.map(({ name }) => name).join(', ')}.`);
else await proveAll(proofs.filter(({ name }) => positionals.length === 0 || positionals.includes(name)));

function refuse(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}

async function proveAll(chosen: readonly Proof[]): Promise<void> {
  const proved: Proved[] = [];
  for (const proof of chosen) {
    console.log(`${proof.name}: ${proof.what}`);
    const result = await runProof(proof, console.log);
    console.log(`  ${result.holds ? 'holds' : `DOES NOT HOLD, see ${logOf(proof)}`}: ${result.verdict}`);
    proved.push(result);
  }
  const failed = proved.filter(({ holds }) => !holds).length;
  console.log(`\n${rowsOf(proved)}\n\n${proved.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

function rowsOf(proved: readonly Proved[]): string {
  const rows = proved.map(({ name, holds, seconds, verdict }) => [name, holds ? 'yes' : 'NO', (seconds / 60).toFixed(1), verdict]);
  return formatTable(['proof', 'holds', 'minutes', 'in its own words'], rows);
}
