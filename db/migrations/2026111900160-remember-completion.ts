import { migration } from './migration.ts';

export const rememberCompletion = migration('remember-completion-2026111900160', async (run) => {
  await run('alter table orders add column has_completed bigint not null default 0');
  await run(`update orders set has_completed = 1
    where commission_status = 'granted' or commission_status = 'pending' and status = 'completed'`);
});
