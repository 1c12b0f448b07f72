import { readFileSync } from 'node:fs';
import { openDatabase } from '../../../db/database.ts';
import { troubleOf } from '../../../db/engine/database-error-kind.ts';
import type { IncomingOrder } from '../../../domain/orders/incoming.ts';
import { OrderIntake } from '../../../domain/orders/intake.ts';
import { programOf } from '../../../site/program.ts';
import { buildSettings } from '../../../site/settings/settings.ts';

// The way in for orders, as a store's connector uses it: each order is told by itself, and is on the disk when the next one is told.

const { orders, clients } = JSON.parse(readFileSync(process.env['INGEST'] ?? '', 'utf8')) as { orders: IncomingOrder[]; clients: number };
const database = await openDatabase({ url: process.env['DATABASE_URL'] ?? '' });
const { settings } = buildSettings((await database.read((stores) => stores.settings.all())).values);
const program = programOf(settings);

const intake = new OrderIntake({
  storage: database,
  surroundings: () => ({ program, now: Date.now(), userId: 0, hashVisitor: (visitor) => visitor }),
  isTrouble: (error) => troubleOf(error) !== null,
});

async function client(): Promise<void> {
  for (let order = orders[next++]; order; order = orders[next++]) {
    const { outcome } = await intake.record(order);
    if (outcome !== 'recorded') throw new Error(`Order ${order.orderId} was ${outcome}.`);
  }
}

let next = 0;
const started = performance.now();
await Promise.all(Array.from({ length: clients }, client));
const seconds = (performance.now() - started) / 1000;
await database.close();
process.stdout.write(`${JSON.stringify({ orders: orders.length, seconds })}\n`);
