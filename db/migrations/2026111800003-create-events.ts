import { migration } from './migration.ts';

export const createEvents = migration('create-events-2026111800003', async (run, { engine }) => {
  // Not `dialect.id`: its sequences have gaps after a rollback. Ids without gaps, and ordinals without gaps among the events of a kind, make
  // the number of events beyond a cursor a subtraction.
  const id = engine === 'sqlite' ? 'integer primary key' : 'bigint primary key';
  // No references: events outlive what they are about. user_id 0 is the system.
  await run(`
    create table events (
      id ${id},
      kind text not null,
      ordinal bigint not null,
      type text,
      object_type text not null,
      object_id bigint not null,
      user_id bigint not null,
      info text not null,
      data text,
      created_at bigint not null
    )`);
  await run('create index events_of_kind on events (kind, id, ordinal)');
  await run('create index events_of_user on events (user_id, id, kind)');
});
