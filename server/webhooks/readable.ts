import type { Logger } from 'pino';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import type { Stores } from '../../domain/ports.ts';
import { systemRandom } from '../../domain/random.ts';
import { listAllWebhooks } from '../../domain/webhooks/manage.ts';
import { hasReadableSecret } from '../../domain/webhooks/webhook.ts';

export interface SigningSecretCheck {
  /** Ids of all webhooks that were asked for. */
  webhooks: number[];
  /** Ids of those whose secret was made with another master key. */
  unreadable: number[];
}

export async function findUnreadableSecrets(
  { webhooks }: Pick<Stores, 'webhooks'>,
  masterKey: string,
  which: 'all' | 'active',
): Promise<SigningSecretCheck> {
  const secrets = createSecrets('webhook_secret', masterKey, systemRandom);
  const found = (await listAllWebhooks(webhooks)).filter(({ status }) => which === 'all' || status === 'active');
  const unreadable = found.filter((webhook) => !hasReadableSecret(webhook, secrets));
  return { webhooks: found.map(({ id }) => id), unreadable: unreadable.map(({ id }) => id) };
}

/** With another master key everything would run, and webhooks get nothing. */
export function logUnreadableSecrets({ unreadable }: SigningSecretCheck, log: Pick<Logger, 'error'>): void {
  if (unreadable.length > 0)
    log.error({ webhooks: unreadable }, 'webhooks get nothing from this process: their signing secrets were made with another MASTER_KEY');
}
