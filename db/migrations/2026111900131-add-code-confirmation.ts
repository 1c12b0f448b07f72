import { migration } from './migration.ts';

export const addCodeConfirmation = migration('add-code-confirmation-2026111900131', (run) =>
  run('alter table sessions add column code_confirmed_until bigint'),
);
