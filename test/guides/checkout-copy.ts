import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compiledProgram } from '../cli/compiled-command.ts';
import { runAfterAllTests } from '../support/cleanup.ts';
import { freePort } from '../support/free-port.ts';
import type { Block } from './pages.ts';

/** What a clone does not have, or a test must not change. */
const excluded = new Set(['.git', 'node_modules', 'data', 'coverage']);

/** A copy of the project, as after `git clone` and `npm ci`, in which the commands of the pages are run. */
export class CheckoutCopy {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'checkout-copy-'));

  constructor() {
    const isIncluded = (file: string): boolean => !excluded.has(path.basename(file));
    for (const name of readdirSync('.').filter(isIncluded)) cpSync(name, this.path(name), { recursive: true, filter: isIncluded });
    this.#linkModules();
    runAfterAllTests(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Hard links where possible: the folder is a copy, so that `npm run build` does not write into the real one. */
  #linkModules(): void {
    const modules = this.path('node_modules');
    if (spawnSync('cp', ['-al', 'node_modules', modules]).status !== 0) {
      rmSync(modules, { recursive: true, force: true });
      cpSync('node_modules', modules, { recursive: true, verbatimSymlinks: true });
    }
    rmSync(path.join(modules, '.cache'), { recursive: true, force: true });
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  /** Runs the commands of blocks in one shell. Returns the output; throws with it if a command fails. */
  async runBlocks(blocks: readonly Block[], { variables = {}, first = '' }: RunOptions = {}): Promise<string> {
    const port = await freePort();
    // Ports 8080 and 4010 may be in use. Everything else stays as written.
    const replacePorts = (text: string): string => text.replaceAll(/127\.0\.0\.1:(8080|4010)/g, `127.0.0.1:${port}`);
    const commands = blocks.map(({ page, line, source }) => `echo '--- ${page}:${line}'\n${source}`);
    const programs = { affiliate: 'cli/affiliate.ts', lint: 'scripts/lint.ts', breaking_changes: 'scripts/contract/breaking-changes.ts' };
    const arrays = Object.entries(programs).map(([name, file]) => {
      const words = [process.execPath, ...compiledProgram(file)].map((part) => `'${part}'`);
      return `${name}=(${words.join(' ')})`;
    });
    const lines = [...arrays, 'source test/guides/terminal.sh', first, ...commands];
    writeFileSync(this.path('commands.sh'), replacePorts(lines.join('\n')));
    const replaced = Object.entries(variables).map(([name, value]) => [name, replacePorts(value)]);
    const env = { PATH: process.env['PATH'], HOME: this.folder, PORT: String(port), LOG_LEVEL: 'warn', ...Object.fromEntries(replaced) };
    const child = spawn('bash', ['commands.sh'], { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`The commands ended with ${code}:\n${output}`);
    return output;
  }
}

interface RunOptions {
  variables?: Record<string, string>;
  /** Commands before the blocks: what a page presupposes. */
  first?: string;
}
