import { type Command, Option } from 'commander';
import { readBundle } from '../../server/contract/document.ts';
import { buildServedDocument } from '../../site/document.ts';
import { guardSiteModule } from '../../site/extension.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { warnOfSiteFailure, withContext } from '../context.ts';
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

const openapi = ({ edition }: { edition?: Settings['edition'] }): Promise<CommandResult> =>
  withContext(async ({ settings, siteModule }) => {
    const { amendOpenapi: amend } = guardSiteModule(await siteModule(), warnOfSiteFailure);
    const document = buildServedDocument(readBundle(), { ...settings, ...(edition && { edition }) }, { amend });
    return { json: document, text: JSON.stringify(document, null, 2) };
  });
