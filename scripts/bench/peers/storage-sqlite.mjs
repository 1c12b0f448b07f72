// better-sqlite3 with prepared statements. One process serves a file, so that it counts requests in its memory.
import Database from 'better-sqlite3';
import { databaseFile, limit, rateOf } from './job.mjs';

const database = new Database(databaseFile, { readonly: true });

export const prepare = (sql) => database.prepare(sql);

/** A look-up in the file costs less than a cache would. */
export const cacheBriefly = (find) => find;

const windows = new Map();

/** Counts a request against its key, in a fixed window. */
export function countRequest(keyId) {
  const now = Date.now();
  let window = windows.get(keyId);
  if (window === undefined || window.ends <= now) windows.set(keyId, (window = { count: 0, ends: now + limit.windowSeconds * 1000 }));
  window.count += 1;
  return rateOf(window.count, window.ends - now);
}

/** Of a table, for entities. */
export const columnsOf = (table) =>
  database.pragma(`table_info(${table})`).map(({ name, type, pk, dflt_value: fallback }) => ({
    ...{ name, isText: type === 'TEXT', isPrimary: pk > 0, fallback },
  }));
