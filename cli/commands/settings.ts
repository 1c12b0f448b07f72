import type { Command } from 'commander';
import { openSettings } from '../../server/settings.ts';
import { getSetting, settingPaths } from '../../site/settings/parse.ts';
import { buildSettings, getSettingValue } from '../../site/settings/settings.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import { type CommandContext, withContext } from '../context.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';
import { formatTable } from '../terminal/table.ts';

const listExamples = `
With --json every setting comes with its default, what is allowed, and what it is for.

Examples
  affiliate settings list
  affiliate settings list --json`;

const getExamples = `
Examples
  affiliate settings get store.currency
  affiliate settings get cors.origins --json`;

const setExamples = `
Values are JSON. A bare word that is no JSON is taken as a string: Europe/Berlin is "Europe/Berlin". A running service sees a change
within a second.

Examples
  affiliate settings set store.timezone Europe/Berlin
  affiliate settings set payouts.threshold 50
  affiliate settings set cors.origins '["https://app.example"]'`;

const unsetExamples = `
Example
  affiliate settings unset payouts.threshold`;

export function addSettings(program: Command): void {
  const settings = program.command('settings').description('what the operator decides about the program');
  settings.command('list').description('every setting with its value').addHelpText('after', listExamples).action(printResult(list));
  settings
    .command('get')
    .argument('<path>', 'for example store.currency')
    .description('the value of one setting')
    .addHelpText('after', getExamples)
    .action(printResult(get));
  settings
    .command('set')
    .argument('<path>', 'for example store.currency')
    .argument('<json>', 'the value as JSON; a bare word that is no JSON is taken as a string')
    .description('change a setting')
    .addHelpText('after', setExamples)
    .action(printResult(set));
  settings
    .command('unset')
    .argument('<path>', 'for example store.currency')
    .description('reset a setting to its default')
    .addHelpText('after', unsetExamples)
    .action(printResult(unset));
}

interface SettingRecord {
  path: string;
  value: unknown;
  default: unknown;
  /** False also where what is stored is refused, so that the default holds. */
  is_set: boolean;
  allowed: string;
  description: string;
}

async function recordsOf({ database }: CommandContext): Promise<{ records: SettingRecord[]; problems: string[] }> {
  const { values } = await database.read(({ settings }) => settings.all());
  const { settings, problems } = buildSettings(values);
  const records = settingPaths.map(({ path, default: byDefault, allowed, description }) => ({
    path,
    value: getSettingValue(settings, path),
    default: byDefault,
    is_set: Object.hasOwn(values, path) && !problems.some((refused) => refused.path === path),
    allowed,
    description,
  }));
  return { records, problems: problems.map(({ problem }) => problem) };
}

const list = (): Promise<CommandResult> =>
  withContext(async (session) => {
    const { records, problems } = await recordsOf(session);
    const rows = records.map((record) => [record.path, JSON.stringify(record.value), record.is_set ? 'set' : 'default']);
    const ignored = problems.map((problem) => `\nIgnored: ${problem}`);
    return { json: records, text: [formatTable(['SETTING', 'VALUE', 'FROM'], rows), ...ignored].join('\n') };
  });

/** Told before the database is opened: a slip in the path needs none. */
async function one(
  path: string,
  text: (record: SettingRecord) => string,
  work?: (session: CommandContext) => Promise<void>,
): Promise<CommandResult> {
  getSetting(path);
  return withContext(async (session) => {
    await work?.(session);
    const record = (await recordsOf(session)).records.find((candidate) => candidate.path === path) as SettingRecord;
    return { json: record, text: text(record) };
  });
}

const shown = ({ value }: SettingRecord): string => (typeof value === 'string' ? value : JSON.stringify(value));

const get = (path: string): Promise<CommandResult> => one(path, shown);

const set = (path: string, given: string): Promise<CommandResult> =>
  one(
    path,
    (record) => `${path} is now ${JSON.stringify(record.value)}.`,
    async (session) => (await siteSettings(session)).set(path, valueOf(given)),
  );

const unset = (path: string): Promise<CommandResult> => (settingPaths.some((known) => known.path === path) ? reset(path) : forget(path));

const reset = (path: string): Promise<CommandResult> =>
  one(
    path,
    (record) => `${path} is back at its default, ${JSON.stringify(record.value)}.`,
    async (session) => (await siteSettings(session)).unset(path),
  );

/** What another version of the program stored, and this one does not know. */
const forget = (path: string): Promise<CommandResult> =>
  withContext(async ({ database }) => {
    await database.write(async ({ settings }) => {
      if (!Object.hasOwn((await settings.all()).values, path)) getSetting(path);
      await settings.set(path, null);
    });
    return { json: { path, removed: true }, text: `${path} was removed: this version has no such setting.` };
  });

/** A gateway may be one of the site's own, so its module is asked which there are. */
const siteSettings = async ({ database, siteModule }: CommandContext): Promise<SiteSettings> => openSettings(database, await siteModule());

/** Quoting JSON strings in a shell is a nuisance, so a word that is no JSON stands for itself. A setting that is no string refuses it. */
function valueOf(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}
