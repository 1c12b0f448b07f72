import { openDatabase } from '../../db/database.ts';
import { createLogger } from '../../server/http/request-log.ts';
import { createOutbox } from '../../server/jobs/outbox.ts';
import { openSettings } from '../../server/site.ts';
import { createWebhookSender } from '../../server/webhooks/send.ts';

/** A worker like `affiliate worker`, with short leases. Its first argument is the task as JSON. */
export interface WorkerTask {
  databaseUrl: string;
  masterKey: string;
  leaseMilliseconds: number;
}

const { databaseUrl, masterKey, leaseMilliseconds }: WorkerTask = JSON.parse(process.argv[2] ?? '');
const database = await openDatabase({ url: databaseUrl });
createOutbox({
  configuration: { environment: 'local', dataDir: '/nowhere', smtp: null },
  database,
  settings: openSettings(database),
  log: createLogger('error'),
  masterKey,
  sendWebhook: createWebhookSender({ timeoutMs: leaseMilliseconds / 2 }).send,
  leases: { delivery: leaseMilliseconds, mail: leaseMilliseconds },
}).start();
process.stdout.write('ready\n');
