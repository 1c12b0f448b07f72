import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../db/database.ts';
import { ImportingShop } from './importing-shop.ts';

/** The importing shop as a process that a test kills. It appends a line to `logFile` after each commit. */
export interface ShopTask {
  databaseUrl: string;
  couponId: number;
  first: number;
  logFile: string;
}

const { databaseUrl, couponId, first, logFile: notebook }: ShopTask = JSON.parse(process.argv[2] ?? '');
const database = await openDatabase({ url: databaseUrl });
const shop = new ImportingShop(database, couponId, first);
for (;;) {
  appendFileSync(notebook, `${JSON.stringify(await shop.importNext())}\n`);
  // SQLite's lock is not fair: without a pause the service would never get it.
  await pause(20);
}
