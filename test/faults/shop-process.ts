import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../db/database.ts';
import { Shop } from './shop.ts';

/** A store in a process of its own, to be killed. It writes down what was committed, a line each, the moment it knows. */
export interface ShopTask {
  databaseUrl: string;
  couponId: number;
  first: number;
  notebook: string;
}

const { databaseUrl, couponId, first, notebook }: ShopTask = JSON.parse(process.argv[2] ?? '');
const shop = new Shop(await openDatabase({ url: databaseUrl }), couponId, first);
for (;;) {
  appendFileSync(notebook, `${JSON.stringify(await shop.tell())}\n`);
  // SQLite gives the lock to whoever asks at the right moment: one who asks without a break leaves none to the service.
  await pause(20);
}
