import type { Engine, Observer } from '../support/engines.ts';

/** Writes that can be made to fail in the middle of a transaction. */
export const faults = [
  'payouts insert',
  'payouts update',
  'payout_days',
  'ledger',
  'coupons',
  'events',
  'mails',
  'idempotency_keys',
] as const;
export type Fault = (typeof faults)[number];

const writesTo = (fault: Fault): { table: string; operations: string[] } => {
  const [table = '', operation] = fault.split(' ');
  return { table, operations: operation === undefined ? ['insert', 'update'] : [operation] };
};

/** The triggers read a table, so that a fault is switched on and off without a schema change. */
const sqliteTrigger = (fault: Fault, table: string, operation: string): string => `
  create trigger fault_${table}_${operation} before ${operation} on ${table}
  when exists (select 1 from faults where name = '${fault}') begin select raise(abort, 'this write was made to fail'); end`;

const postgresTrigger = (fault: Fault, table: string, operation: string): string => `
  create trigger fault_${table}_${operation} before ${operation} on ${table} for each row execute function fail_write('${fault}')`;

const failWrite = `
  create function fail_write() returns trigger language plpgsql as $$ begin
    if exists (select 1 from faults where name = tg_argv[0]) then raise exception 'this write was made to fail'; end if;
    return new;
  end $$`;

/** Installs the triggers. */
export async function prepareFaults({ name }: Engine, observer: Observer): Promise<void> {
  await observer.query('create table faults (name text not null)');
  if (name === 'postgres') await observer.query(failWrite);
  for (const fault of faults) {
    const { table, operations } = writesTo(fault);
    for (const operation of operations)
      await observer.query(name === 'postgres' ? postgresTrigger(fault, table, operation) : sqliteTrigger(fault, table, operation));
  }
}

/** Runs `work` while every write of this kind fails. */
export async function whileFailing<Result>(observer: Observer, fault: Fault | null, work: () => Promise<Result>): Promise<Result> {
  if (fault === null) return work();
  await observer.query(`insert into faults (name) values ('${fault}')`);
  try {
    return await work();
  } finally {
    await observer.query('delete from faults');
  }
}
