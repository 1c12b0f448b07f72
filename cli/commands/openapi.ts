import { type Command, Option } from 'commander';
import { readConfiguration } from '../../server/configuration.ts';
import { readBundle } from '../../server/contract/document.ts';
import { buildServedDocument } from '../../site/document.ts';
import { guardSiteModule, loadSiteModule } from '../../site/extension.ts';
import { buildSettings, type Settings } from '../../site/settings/settings.ts';
import { MissingDatabase, warnOfSiteFailure, withExistingDatabase } from '../context.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';

const examples = `
The document that the running service returns for GET /openapi, as JSON with or without --json.

Examples
  affiliate openapi > openapi.json
  affiliate openapi --edition free`;

export function addOpenapi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of this site')
    .addOption(new Option('--edition <edition>', 'as if the site had this edition').choices(['free', 'pro']))
    .addHelpText('after', examples)
    .action(printResult(openapi));
}

async function openapi({ edition }: { edition?: Settings['edition'] }): Promise<CommandResult> {
  const settings = await readSettings();
  const { siteModule: file } = readConfiguration(process.env);
  const { amendOpenapi: amend } = guardSiteModule(file ? await loadSiteModule(file) : {}, warnOfSiteFailure);
  const document = buildServedDocument(readBundle(), { ...settings, ...(edition && { edition }) }, { amend });
  return { json: document, text: JSON.stringify(document, null, 2) };
}

/** The defaults where there is no database yet. */
const readSettings = (): Promise<Settings> =>
  withExistingDatabase(async ({ settings }) => settings).catch((error: unknown) => {
    if (error instanceof MissingDatabase) return buildSettings({}).settings;
    throw error;
  });
