import { connect, type Socket } from 'node:net';
import { type Answer, AnswerReader } from '../bench/answer-reader.ts';

type Take = (answer: Answer | Error) => void;

/** One connection to the service, with one request under way at a time. */
export class Connection {
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  #take: Take | undefined;
  usedAt = performance.now();
  isOpen = true;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => {
      const answer = this.#reader.take(chunk);
      if (answer) this.#give(answer);
    });
    this.#socket.on('error', (error: NodeJS.ErrnoException) => this.#give(new Error(`The connection failed: ${error.code}.`)));
    this.#socket.on('close', () => {
      this.isOpen = false;
      this.#give(new Error('The connection was closed before the answer.'));
    });
  }

  send(bytes: Buffer, take: Take): void {
    this.#take = take;
    this.#socket.write(bytes);
  }

  end(): void {
    this.#socket.destroy();
  }

  #give(answer: Answer | Error): void {
    const take = this.#take;
    this.#take = undefined;
    this.usedAt = performance.now();
    take?.(answer);
  }
}
