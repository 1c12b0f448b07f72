/** `npm run new -- get /coupons/{id}/notes`: writes a new operation that passes lint and the compiler at once. */
import { spawnSync } from 'node:child_process';
import { Checkout, describeNewOperation, type NewOperation, verbs, writeOperation } from './new/new-operation.ts';
import { runCommand, runScript } from './shared/usage.ts';

const help = `npm run new -- <${verbs.join('|')}> <path>

Writes a new operation: a file in openapi/paths/, its line in openapi.yaml, a schema, an example and a handler that returns the example.
Lint, generate and the types pass at once; then edit what was written. If something refuses it, every file stays as it was.

Example
  npm run new -- get /coupons/{id}/notes`;

const checkout = new Checkout('.');

function readOperation(): NewOperation | 'help' {
  const [method = '', route = ''] = process.argv.slice(2);
  return method === '--help' ? 'help' : describeNewOperation(method, route, checkout);
}

const runTool = (...args: string[]): void => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${args.join(' ')} failed, so nothing was written.`);
};

async function write(operation: NewOperation): Promise<void> {
  // Ctrl-C ends the tool that runs, to which the terminal sends it too: that is a failure like any other.
  process.on('SIGINT', () => {});
  const restore = checkout.snapshot('openapi', 'handlers', 'generated', 'docs/reference', 'README.md');
  try {
    const written = writeOperation(operation, checkout);
    runTool('--import', 'tsx', 'scripts/generate.ts');
    runTool('--import', 'tsx', 'scripts/generate/references.ts');
    runTool('node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--log-level=error', 'handlers');
    console.log(`${operation.id} is written:\n${written.map((file) => `  ${file}`).join('\n')}`);
  } catch (error) {
    restore();
    throw error;
  }
}

await runCommand(help, readOperation, (operation) => runScript(() => write(operation)));
