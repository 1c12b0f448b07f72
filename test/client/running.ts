import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type { Received } from '../support/webhooks.ts';

/** A program that was started, and the lines that it says. */
export class Running {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterableIterator<string>;
  readonly #errors: string[] = [];

  constructor(command: string, args: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
    this.#child = spawn(command, args, { cwd, env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#errors.push(chunk.toString()));
    if (!this.#child.stdout) throw new Error('It has no output.');
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** The next line, or what went wrong instead. */
  async line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`It ended without another line: ${this.#errors.join('')}`);
    return value;
  }

  /** Everything until it ends by itself, which it must do well. */
  async all(): Promise<string[]> {
    const ended = once(this.#child, 'close');
    const lines: string[] = [];
    for await (const line of this.#lines) lines.push(line);
    const [code] = await ended;
    if (code !== 0) throw new Error(`It ended with ${code}: ${this.#errors.join('')}`);
    return lines;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const ended = once(this.#child, 'close');
    this.#child.kill(signal);
    return (await ended)[0];
  }
}

/** Believes the delivery, does its work once though it comes twice, and does not believe one that was changed. */
export async function takesOnce(program: Running, { headers, body }: Received): Promise<void> {
  try {
    const port = /"port":\s*(\d+)/.exec(await program.line())?.[1];
    const send = async (text: string): Promise<number> => {
      const { 'content-length': _, host: __, connection: ___, ...given } = headers as Record<string, string>;
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: given, body: text })).status;
    };
    expect([await send(body.replace('42', '4200')), await send(body), await send(body)]).to.deep.equal([400, 204, 204]);
    expect(await program.line()).to.match(/paid:? 42$/);
  } finally {
    await program.end();
  }
}
