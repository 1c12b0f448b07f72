import { Connection } from '../bench/connection.ts';
import type { Request } from './open-loop.ts';

const clients = 32;
const warmUpSeconds = 4;
const measuredSeconds = 6;

/** Requests a second that the machine holds: as many as are answered when so many clients ask again as soon as they are answered. */
export async function capacityOf(port: number, next: () => Request): Promise<number> {
  await answeredIn(warmUpSeconds, port, next);
  return (await answeredIn(measuredSeconds, port, next)) / measuredSeconds;
}

async function answeredIn(seconds: number, port: number, next: () => Request): Promise<number> {
  const deadline = performance.now() + seconds * 1000;
  const counts = await Promise.all(Array.from({ length: clients }, () => client(port, deadline, next)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function client(port: number, deadline: number, next: () => Request): Promise<number> {
  const connection = new Connection(port);
  let answered = 0;
  while (performance.now() < deadline) {
    await ask(connection, next());
    answered += 1;
  }
  connection.end();
  return answered;
}

/** @throws at an answer that is not as expected. */
const ask = (connection: Connection, request: Request): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.send(request.bytes, (answer) => {
      const outcome = answer instanceof Error ? answer : request.judge(answer);
      if (outcome instanceof Error) reject(outcome);
      else resolve();
    });
  });
