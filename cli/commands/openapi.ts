import { type Command, Option } from 'commander';
import type { OperationId } from '../../generated/operations.ts';
import { handlers } from '../../handlers/index.ts';
import { readBundle } from '../../server/contract/served-documents.ts';
import { buildServedDocument } from '../../site/document.ts';
import { guardSiteModule } from '../../site/extension.ts';
import { getSetting } from '../../site/settings/parse.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { warnOfSiteFailure, withContext } from '../context.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';

const examples = `
The same document that the running service answers under GET /openapi, as JSON with or without --json.

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

type Edition = Settings['edition'];

const openapi = ({ edition }: { edition?: Edition }): Promise<CommandResult> =>
  withContext(async ({ settings, siteModule }) => {
    // The whole server hangs on it, so it is loaded only here.
    const { bundleFile } = await import('../../server/compose.ts');
    const built = new Set(Object.keys(handlers) as OperationId[]);
    const { amendOpenapi: amend } = guardSiteModule(await siteModule(), warnOfSiteFailure);
    const asked = edition === undefined ? settings : { ...settings, edition };
    const document = buildServedDocument(readBundle(bundleFile), asked, { built, baseUrl: baseUrlOf(settings), amend });
    return { json: document, text: JSON.stringify(document, null, 2) };
  });

const apiRoot = '/api/v2';

/** Nobody can call example.com: as long as the store has no address of its own, the document's is relative to where it is read. */
function baseUrlOf({ store }: Settings): string {
  const isSet = store.url !== getSetting('store.url').default;
  return isSet ? `${store.url.replace(/\/+$/, '')}${apiRoot}` : apiRoot;
}
