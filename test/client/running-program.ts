import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type { ReceivedDelivery } from '../support/webhooks.ts';

/** A child process whose output is read line by line. */
export class RunningProgram {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterableIterator<string>;
  readonly #errors: string[] = [];

  constructor(command: string, args: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
    this.#child = spawn(command, args, { cwd, env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#errors.push(chunk.toString()));
    if (!this.#child.stdout) throw new Error('The program has no standard output.');
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** The next line. Rejects with the error output if there is none. */
  async nextLine(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`The program ended without another line: ${this.#errors.join('')}`);
    return value;
  }

  /** All lines until the program ends. Rejects if it ends with an error. */
  async allLines(): Promise<string[]> {
    const ended = once(this.#child, 'close');
    const lines: string[] = [];
    for await (const line of this.#lines) lines.push(line);
    const [code] = await ended;
    if (code !== 0) throw new Error(`The program ended with ${code}: ${this.#errors.join('')}`);
    return lines;
  }

  async kill(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const ended = once(this.#child, 'close');
    this.#child.kill(signal);
    return (await ended)[0];
  }
}

/** Sends a changed delivery, which the receiver must refuse, and the delivery twice, of which it must process one. */
export async function expectProcessedOnce(program: RunningProgram, { headers, body }: ReceivedDelivery): Promise<void> {
  try {
    const port = /"port":\s*(\d+)/.exec(await program.nextLine())?.[1];
    const send = async (text: string): Promise<number> => {
      const { 'content-length': _, host: __, connection: ___, ...signed } = headers as Record<string, string>;
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: signed, body: text })).status;
    };
    expect([await send(body.replace('42', '4200')), await send(body), await send(body)]).to.deep.equal([400, 204, 204]);
    expect(await program.nextLine()).to.match(/paid:? 42$/);
  } finally {
    await program.kill();
  }
}
