import { opens, type Secrets } from '../master-key/secrets.ts';
import type { Webhook } from './webhook.ts';

/** Whether this webhook's deliveries can be signed here. If not, its secret was made with another master key. */
export const hasReadableSecret = ({ encryptedSecret }: Pick<Webhook, 'encryptedSecret'>, secrets: Secrets): boolean =>
  opens(secrets, encryptedSecret);
