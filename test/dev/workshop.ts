import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atTheEnd } from '../support/ending.ts';

const parts = ['openapi', 'redocly.yaml', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'generated', 'domain', 'db', 'site'];
const more = ['handlers', 'server', 'web', 'scripts'];

/** A copy of the project that a designer works in, with `npm run dev` running beside the editor. */
export class Workshop {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'workshop-'));
  readonly #loop: ChildProcessWithoutNullStreams;
  readonly #news = new EventEmitter();
  #said = '';
  #read = 0;

  constructor(variables: Record<string, string> = {}) {
    for (const part of [...parts, ...more]) cpSync(part, path.join(this.folder, part), { recursive: true, filter: isNeeded });
    symlinkSync(path.resolve('node_modules'), path.join(this.folder, 'node_modules'));
    const {
      FORCE_COLOR: _colour,
      NODE_V8_COVERAGE: _coverage,
      DATA_DIR: _data,
      DATABASE_URL: _url,
      LOG_LEVEL: _level,
      ...env
    } = process.env;
    this.#loop = spawn(process.execPath, ['--import', 'tsx', 'scripts/dev.ts'], {
      cwd: this.folder,
      env: { ...env, PORT: '0', ...variables },
    });
    for (const stream of [this.#loop.stdout, this.#loop.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.#said += chunk.toString();
        this.#news.emit('said');
      });
    this.#loop.once('close', () => this.#news.emit('said'));
    atTheEnd(() => {
      this.#loop.kill('SIGKILL');
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  /** What it prints from here on until a line like this; fails with all of it when it ends before. */
  async hear(line: RegExp): Promise<string> {
    for (;;) {
      const news = this.#said.slice(this.#read);
      const found = line.exec(news);
      const end = found === null ? -1 : news.indexOf('\n', found.index);
      if (end >= 0) {
        this.#read += end + 1;
        return news.slice(0, end);
      }
      if (this.#loop.exitCode !== null) throw new Error(`It ended before it said ${line}:\n${this.#said}`);
      await once(this.#news, 'said');
    }
  }

  read(file: string): string {
    return readFileSync(path.join(this.folder, file), 'utf8');
  }

  save(file: string, text: string): void {
    writeFileSync(path.join(this.folder, file), text);
  }

  edit(file: string, from: string | RegExp, to: string): void {
    const before = this.read(file);
    const after = before.replace(from, to);
    if (after === before) throw new Error(`${file} does not contain ${from}; the edit changed nothing`);
    this.save(file, after);
  }

  /** Ctrl-C. Gives the exit code and everything that was said. */
  async interrupt(): Promise<{ code: number | null; said: string }> {
    const closed = once(this.#loop, 'close');
    this.#loop.kill('SIGINT');
    const [code] = (await closed) as [number | null];
    return { code, said: this.#said };
  }

  get pid(): number {
    return this.#loop.pid ?? 0;
  }
}

const isNeeded = (source: string): boolean => !/scripts\/bench\/peers\b/.test(source);

/** Whether somebody else may listen there: nobody is left who does. */
export async function isFree(url: string): Promise<boolean> {
  const server = createServer();
  const port = Number(new URL(url).port);
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve((server.address() as AddressInfo | null) === null)));
  });
}
