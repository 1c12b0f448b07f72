import { codeBlock } from './code-block.ts';
import { tabs } from './tabs.ts';

/** What a receiver does, once by hand and once with the package in client/. `body` is what came in, before anything has parsed it. */
const byHand = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(body, header, secret) {
  const [, t, v1] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (!v1 || Math.abs(Date.now() / 1000 - t) > 300) return false;
  const expected = createHmac('sha256', secret)
    .update(\`\${t}.\${body}\`)
    .digest('hex');
  return timingSafeEqual(Buffer.from(v1), Buffer.from(expected));
}`;

const byClient = `import { verifyWebhook } from 'affiliate-program-client';

const delivery = await verifyWebhook(
  { headers: request.headers, body },
  secret,
);`;

export const verification = (): HTMLElement =>
  tabs('Verify a delivery', [
    { name: 'Node.js', content: () => codeBlock(byHand, 'javascript', 'Verify a delivery in Node.js') },
    { name: 'Typed client', content: () => codeBlock(byClient, 'javascript', 'Verify a delivery with the typed client') },
  ]);
