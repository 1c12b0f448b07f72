import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';

/** A request as it goes over the wire, and the status that it must be answered with. */
export interface Wire {
  bytes: Buffer;
  expect: number;
}

export interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** Null when there is nothing left to ask; then the load ends early. */
  next(): Wire | null;
}

export interface Tally {
  requests: number;
  seconds: number;
  /** In milliseconds, lowest first. */
  latencies: Float64Array;
}

/** So many connections, each of which asks anew as soon as it is answered. @throws at the first answer with an unexpected status. */
export async function applyLoad(load: Load): Promise<Tally> {
  const latencies: number[] = [];
  const started = performance.now();
  const sockets = new Set<Socket>();
  const record = (milliseconds: number): void => void latencies.push(milliseconds);
  const deadline = started + load.seconds * 1000;
  const clients = Array.from({ length: load.connections }, () => client(load, deadline, record, sockets));
  try {
    await Promise.all(clients);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return { requests: latencies.length, seconds: (performance.now() - started) / 1000, latencies: Float64Array.from(latencies).sort() };
}

function client({ port, next }: Load, deadline: number, record: (milliseconds: number) => void, sockets: Set<Socket>): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    sockets.add(socket);
    const reader = new AnswerReader();
    let asked: Wire | null = null;
    let askedAt = 0;
    const leave = (error?: Error): void => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    const ask = (): void => {
      asked = performance.now() < deadline ? next() : null;
      if (!asked) return leave();
      askedAt = performance.now();
      socket.write(asked.bytes);
    };
    socket.on('connect', ask);
    socket.on('data', (chunk) => {
      const answer = reader.take(chunk);
      if (!answer || !asked) return;
      if (answer.status !== asked.expect) return leave(unexpected(asked, answer));
      record(performance.now() - askedAt);
      ask();
    });
    socket.on('error', leave);
    socket.on('close', () => leave(asked ? new Error(`The connection was closed before the answer to: ${lineOf(asked)}`) : undefined));
  });
}

const lineOf = ({ bytes }: Wire): string => bytes.toString('latin1', 0, bytes.indexOf('\r\n'));

const unexpected = (asked: Wire, { status, body }: { status: number; body: string }): Error =>
  new Error(`${lineOf(asked)} was answered ${status} instead of ${asked.expect}: ${body.slice(0, 300)}`);
