// The database of a peer: the same statements and the same promises on both engines.
import { isPostgres } from './job.mjs';

export const { prepare, cacheBriefly, countRequest, columnsOf } = await import(
  isPostgres ? './storage-postgres.mjs' : './storage-sqlite.mjs'
);
