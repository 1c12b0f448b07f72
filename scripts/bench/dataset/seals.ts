import type { Engine } from './sizes.ts';

const dropTriggers = (engine: Engine, table: string): string[] =>
  engine === 'sqlite'
    ? [`drop trigger ${table}_refuses_update`, `drop trigger ${table}_refuses_delete`]
    : [`drop trigger ${table}_are_final on ${table}`];

/** Makes the ledger what it is before the first start of the service: its next seal takes all records as they are. */
export const removeSeals = (engine: Engine): string[] => [
  ...['ledger_digests', 'ledger_seals'].flatMap((table) => [...dropTriggers(engine, table), `delete from ${table}`]),
  `delete from stored_keys where name = 'sealing_key'`,
  // It says that there is a sealing key.
  'delete from key_proof',
];
