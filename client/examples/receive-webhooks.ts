// Receives webhooks with Node alone. Needs WEBHOOK_SECRET, as returned by `POST /webhooks`, and PORT.
import { createServer, type IncomingMessage } from 'node:http';
import { verifyWebhook, type WebhookDelivery, WebhookError } from 'affiliate-program-client';

const secret = process.env['WEBHOOK_SECRET'] ?? '';
/** Use a database in production. A delivery can be sent more than once. */
const processed = new Set<string>();

function handle(delivery: WebhookDelivery): void {
  if (delivery.event === 'payout.paid') console.log(`payout ${delivery.data.payout_id} was paid: ${delivery.data.amount}`);
  else if (delivery.event === 'ping') console.log(`ping: ${delivery.data.message}`);
}

async function rawBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function receive(request: IncomingMessage): Promise<number> {
  try {
    const delivery = await verifyWebhook({ headers: request.headers, body: await rawBody(request) }, secret);
    if (!processed.has(delivery.id)) handle(delivery);
    processed.add(delivery.id);
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    console.error(error.reason);
    return 400;
  }
}

const server = createServer((request, response) => {
  receive(request).then(
    (code) => response.writeHead(code).end(),
    () => response.writeHead(500).end(),
  );
});
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => console.log('listening', JSON.stringify(server.address())));
