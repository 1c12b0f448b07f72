import { text as readAll } from 'node:stream/consumers';
import { getConnector, pullPlatforms } from '../../connectors/index.ts';
import { createSecrets, type SecretKind, type Secrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import type { ConnectionApi, StoreConnection } from '../../domain/store/connection.ts';
import { findUrlProblem } from '../../domain/webhooks/url-rules.ts';
import { openMasterKey } from '../../server/auth/master-key.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { getUrlRules } from '../../server/webhooks/send.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../terminal/output.ts';

export interface SecretOptions {
  secretStdin?: true;
  apiUrl?: string;
  apiKey?: string;
  apiSecretStdin?: true;
}

export async function openSecrets({ database }: CommandContext, kind: SecretKind): Promise<Secrets> {
  const notify = (sentence: string): void => void (process.stderr.isTTY && process.stderr.write(`${sentence}\n`));
  return createSecrets(kind, await openMasterKey(database, readConfiguration(process.env), notify), systemRandom);
}

/** The first line is the signing secret, the next one that of the API, as far as they are announced. */
export async function readSecrets(options: SecretOptions): Promise<{ signing: string | null; api: string | null }> {
  const { secretStdin, apiSecretStdin, apiUrl, apiKey } = options;
  if (!apiSecretStdin && (apiUrl ?? apiKey) !== undefined)
    throw new CommandError('Add --api-secret-stdin, and give the consumer secret on standard input.');
  if (!secretStdin && !apiSecretStdin) return { signing: null, api: null };
  const lines = (await readAll(process.stdin)).split(/\r?\n/);
  const next = (): string => {
    const line = lines.shift()?.trim() ?? '';
    if (line.length < 8 || line.length > 500) throw new CommandError('The secret on standard input must have 8 to 500 characters.');
    return line;
  };
  return { signing: secretStdin ? next() : null, api: apiSecretStdin ? next() : null };
}

export const noApi = { apiUrl: null, apiKey: null };

/** The API of the shop, with its secret encrypted. Its address must be one that webhooks may have. */
export async function readApi(
  { id, platform }: Pick<StoreConnection, 'id' | 'platform'>,
  { apiUrl, apiKey }: Pick<ConnectionApi, 'apiUrl' | 'apiKey'>,
  secret: string,
  context: CommandContext,
): Promise<ConnectionApi> {
  const { pull } = getConnector(platform);
  if (pull === null)
    throw new CommandError(`Orders are pulled from ${pullPlatforms} only. Leave out --api-url, --api-key and --api-secret-stdin.`);
  if (apiUrl === null || apiKey === null)
    throw new CommandError('Add --api-url with the address of the shop, and --api-key with its consumer key.');
  if (apiKey.includes(':')) throw new CommandError('The --api-key must not have a colon in it.');
  const problem = findUrlProblem(apiUrl, getUrlRules(context.settings, readConfiguration(process.env)));
  if (problem !== null) throw new CommandError(`--api-url is "${apiUrl}". ${problem}`);
  const encryptedApiSecret = (await openSecrets(context, 'store_api_secret')).encrypt(secret, id);
  return { apiUrl: pull.toShopUrl(new URL(apiUrl)), apiKey, encryptedApiSecret };
}
