import { migration } from './migration.ts';

/** Until now, the login of an application from `/apply` was the part before the @, with `-` for other characters, and a number where taken. */
export const markOnlineApplications = migration('mark-online-applications-2026111900210', async (run, { engine }) => {
  const at = engine === 'sqlite' ? "instr(email, '@')" : "strpos(email, '@')";
  const like = (login: string): string => `replace(lower(${login}), '-', '_')`;
  await run('alter table registrations add column online bigint not null default 0');
  await run(`update registrations set online = 1 where type = 'affiliate' and referrer = '' and custom_fields = '{}' and login not like '%@%' and (
    substr(lower(email), 1, ${at} - 1) like ${like(`substr(login, 1, ${at} - 1)`)} and ltrim(substr(login, ${at}), '0123456789') = ''
    or length(login) = 60 and lower(email) like ${like("rtrim(login, '0123456789')")} || '%')`);
});
