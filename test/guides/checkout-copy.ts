import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atTheEnd } from '../support/ending.ts';
import { freePort } from '../support/free-port.ts';
import type { Block } from './pages.ts';

/** What a clone does not have, or a test must not touch. */
const leftOut = new Set(['.git', 'node_modules', 'data', 'coverage']);

/** A checkout to follow the pages in, as somebody has it after `npm ci`. */
export class Stage {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'followed-'));

  constructor() {
    const isTaken = (file: string): boolean => !leftOut.has(path.basename(file));
    for (const name of readdirSync('.').filter(isTaken)) cpSync(name, this.path(name), { recursive: true, filter: isTaken });
    this.#linkModules();
    atTheEnd(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** As links to the same files, where that can be: what `npm run build` puts there is then not put into the real one. */
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

  /** Types commands, one after the other. What they said; an error when one of them failed. */
  async type(blocks: readonly Block[], { variables = {}, first = '' }: Surroundings = {}): Promise<string> {
    const port = await freePort();
    // 8080 may be taken on this machine. Everything else stays as it stands.
    const here = (text: string): string => text.replaceAll(/127\.0\.0\.1:(8080|4010)/g, `127.0.0.1:${port}`);
    const typed = blocks.map(({ page, line, source }) => `echo '--- ${page}:${line}'\n${source}`);
    writeFileSync(this.path('followed.sh'), here(['source test/guides/terminal.sh', first, ...typed].join('\n')));
    const given = Object.entries(variables).map(([name, value]) => [name, here(value)]);
    const env = { PATH: process.env['PATH'], HOME: this.folder, PORT: String(port), LOG_LEVEL: 'warn', ...Object.fromEntries(given) };
    const child = spawn('bash', ['followed.sh'], { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`The commands ended with ${code}:\n${said}`);
    return said;
  }
}

interface Surroundings {
  variables?: Record<string, string>;
  /** Typed before: what a page takes for granted. */
  first?: string;
}
