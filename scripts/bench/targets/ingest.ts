import { readFileSync } from 'node:fs';
import { openDatabase } from '../../../db/database.ts';
import { databaseErrorKind } from '../../../db/engine/database-error.ts';
import { OrderIntake } from '../../../domain/orders/intake.ts';
import { buildProgram } from '../../../site/program.ts';
import { buildSettings } from '../../../site/settings/settings.ts';
import type { NewOrder } from '../other-rows.ts';

// Records orders as a store's connector does: each by itself, durable before the same client sends the next.
// `--against` runs the file of another checkout, so its path, its input and its output stay the same over versions.

const { orders, clients } = JSON.parse(readFileSync(process.env['INGEST'] ?? '', 'utf8')) as { orders: NewOrder[]; clients: number };
const database = await openDatabase({ url: process.env['DATABASE_URL'] ?? '' });
const { settings } = buildSettings((await database.read((stores) => stores.settings.all())).values);
const program = buildProgram(settings);

const intake = new OrderIntake({
  storage: database,
  recordingContext: () => ({ program, now: Date.now(), userId: 0, hashVisitor: (visitor) => visitor }),
  isDatabaseFailure: (error) => databaseErrorKind(error) !== null,
});

let next = 0;
async function recordOrders(): Promise<void> {
  for (let order = orders[next++]; order; order = orders[next++]) {
    const { outcome } = await intake.record(order);
    if (outcome !== 'recorded') throw new Error(`Order ${order.orderId} was ${outcome}.`);
  }
}

const started = performance.now();
await Promise.all(Array.from({ length: clients }, recordOrders));
const seconds = (performance.now() - started) / 1000;
await database.close();
process.stdout.write(`${JSON.stringify({ orders: orders.length, seconds })}\n`);
