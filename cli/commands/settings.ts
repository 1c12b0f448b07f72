import type { Command } from 'commander';
import { openSettings } from '../../server/site.ts';
import { buildSettings, getSetting, getSettingValue, settingPaths } from '../../site/settings/settings.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import { type CommandContext, withContext, withExistingDatabase } from '../context.ts';
import { examples } from '../terminal/help.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';
import { formatTable } from '../terminal/table.ts';

const listExamples = `
With --json the list includes the default, the allowed values and the purpose of each setting.

Examples
  affiliate settings list
  affiliate settings list --json`;

const setExamples = `
Values are JSON. A value that is not JSON is read as a string: Europe/Berlin is "Europe/Berlin". A running service applies a change
within a second.

Examples
  affiliate settings set store.timezone Europe/Berlin
  affiliate settings set payouts.threshold 50
  affiliate settings set cors.origins '["https://app.example"]'`;

export function addSettings(program: Command): void {
  const settings = program.command('settings').description('the settings of the program');
  settings.command('list').description('every setting with its value').addHelpText('after', listExamples).action(printResult(list));
  settings
    .command('get')
    .argument('<path>', 'for example store.currency')
    .description('the value of one setting')
    .addHelpText('after', examples('affiliate settings get store.currency', 'affiliate settings get cors.origins --json'))
    .action(printResult(get));
  settings
    .command('set')
    .argument('<path>', 'for example store.currency')
    .argument('<json>', 'the value as JSON; a value that is not JSON is read as a string')
    .description('change a setting')
    .addHelpText('after', setExamples)
    .action(printResult(set));
  settings
    .command('unset')
    .argument('<path>', 'for example store.currency')
    .description('reset a setting to its default')
    .addHelpText('after', examples('affiliate settings unset payouts.threshold'))
    .action(printResult(unset));
}

async function readSettings({ database }: CommandContext) {
  const { values } = await database.read(({ settings }) => settings.all());
  const { settings, problems } = buildSettings(values);
  const records = settingPaths.map(({ path, default: defaultValue, allowed, description }) => ({
    path,
    value: getSettingValue(settings, path),
    default: defaultValue,
    // A stored value that is invalid is not in effect.
    is_set: Object.hasOwn(values, path) && !problems.some((problem) => problem.path === path),
    allowed,
    description,
  }));
  return { records, problems: problems.map(({ problem }) => problem) };
}

const list = (): Promise<CommandResult> =>
  withExistingDatabase(async (context) => {
    const { records, problems } = await readSettings(context);
    const rows = records.map((record) => [record.path, JSON.stringify(record.value), record.is_set ? 'set' : 'default']);
    const ignored = problems.map((problem) => `\nIgnored: ${problem}`);
    return { json: records, text: [formatTable(['SETTING', 'VALUE', 'FROM'], rows), ...ignored].join('\n') };
  });

type SettingRecord = Awaited<ReturnType<typeof readSettings>>['records'][number];

/** Applies a change, if any, and returns the setting. An unknown path is reported before the database is opened. */
async function withSetting(
  path: string,
  describe: (record: SettingRecord) => string,
  change?: (settings: SiteSettings) => Promise<void>,
): Promise<CommandResult> {
  getSetting(path);
  const open = change ? withContext : withExistingDatabase;
  return open(async (context) => {
    // The site module is loaded because a gateway can be one of its own.
    if (change) await change(openSettings(context.database, await context.siteModule()));
    const record = (await readSettings(context)).records.find((candidate) => candidate.path === path) as SettingRecord;
    return { json: record, text: describe(record) };
  });
}

const get = (path: string): Promise<CommandResult> =>
  withSetting(path, ({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)));

const set = (path: string, text: string): Promise<CommandResult> =>
  withSetting(
    path,
    ({ value }) => `${path} is now ${JSON.stringify(value)}.`,
    (settings) => settings.set(path, parseValue(text)),
  );

const unset = (path: string): Promise<CommandResult> =>
  settingPaths.some((setting) => setting.path === path)
    ? withSetting(
        path,
        ({ value }) => `${path} is back at its default, ${JSON.stringify(value)}.`,
        (settings) => settings.unset(path),
      )
    : removeUnknown(path);

/** Removes a setting that another version of the program stored. */
const removeUnknown = (path: string): Promise<CommandResult> =>
  withContext(async ({ database }) => {
    await database.write(async ({ settings }) => {
      if (!Object.hasOwn((await settings.all()).values, path)) getSetting(path);
      await settings.set(path, null);
    });
    return { json: { path, removed: true }, text: `${path} was removed: this version has no such setting.` };
  });

/** JSON strings are hard to quote in a shell, so text that is not JSON is a string. Settings that are not strings reject it. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
