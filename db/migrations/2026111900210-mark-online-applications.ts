import { migration } from './migration.ts';

/** Until now, the login of an application from `/apply` was the part before the @, with `-` for other characters, and a number where taken. */
export const markOnlineApplications = migration('mark-online-applications-2026111900210', async (run) => {
  await run('alter table registrations add column online bigint not null default 0');
  await run(`update registrations set online = 1 where type = 'affiliate' and referrer = '' and custom_fields = '{}' and login not like '%@%'
    and lower(email) like replace(lower(rtrim(login, '0123456789')), '-', '_') || '%'`);
});
