import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sourceFolders } from '../../scripts/shared/sources.ts';
import { runAfterAllTests } from '../support/cleanup.ts';

const files = ['redocly.yaml', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
const folders = ['openapi', ...sourceFolders, 'web', 'scripts', 'docs/guides', 'docs/reference'];

/** A copy of the project in which `npm run dev` runs while a test edits files. */
export class DevProject {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'dev-project-'));
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #events = new EventEmitter();
  #output = '';
  #readLength = 0;

  /** The types of the folders that are not in `checked` are not checked: those of the whole service take the compiler half a minute. */
  constructor(checked: readonly string[]) {
    for (const name of [...files, ...folders]) cpSync(name, path.join(this.folder, name), { recursive: true, filter: isNeeded });
    symlinkSync(path.resolve('node_modules'), path.join(this.folder, 'node_modules'));
    const configuration = JSON.parse(this.read('tsconfig.build.json')) as object;
    const exclude = sourceFolders.filter((folder) => !checked.includes(folder));
    this.save('tsconfig.build.json', JSON.stringify({ ...configuration, exclude }));
    const {
      FORCE_COLOR: _color,
      NODE_V8_COVERAGE: _coverage,
      DATA_DIR: _data,
      DATABASE_URL: _url,
      LOG_LEVEL: _level,
      ...env
    } = process.env;
    this.#process = spawn(process.execPath, ['--import', 'tsx', 'scripts/dev.ts'], { cwd: this.folder, env: { ...env, PORT: '0' } });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
        this.#events.emit('output');
      });
    this.#process.once('close', () => this.#events.emit('output'));
    runAfterAllTests(() => {
      this.#process.kill('SIGKILL');
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** The output since the last call, up to a line that matches. Throws with all output if the process ends before. */
  async waitFor(line: RegExp): Promise<string> {
    for (;;) {
      const unread = this.#output.slice(this.#readLength);
      const found = line.exec(unread);
      const end = found === null ? -1 : unread.indexOf('\n', found.index);
      if (end >= 0) {
        this.#readLength += end + 1;
        return unread.slice(0, end);
      }
      if (this.#process.exitCode !== null) throw new Error(`It ended before it printed ${line}:\n${this.#output}`);
      await once(this.#events, 'output');
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

  /** Sends SIGINT, as Ctrl-C does. Returns the exit code and all output. */
  async interrupt(): Promise<{ code: number | null; output: string }> {
    const closed = once(this.#process, 'close');
    this.#process.kill('SIGINT');
    const [code] = (await closed) as [number | null];
    return { code, output: this.#output };
  }
}

const isNeeded = (source: string): boolean => !/scripts\/bench\/peers\b/.test(source);

/** Whether the port of a URL can be listened on. */
export async function isPortFree(url: string): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(Number(new URL(url).port), '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
