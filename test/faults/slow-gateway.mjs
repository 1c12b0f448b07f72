import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** A payment provider that takes its time and keeps a book of its own, which outlives whoever called it. */
export default {
  gateways: {
    async slow({ idempotencyKey }) {
      appendFileSync(process.env.GATEWAY_BOOK, `${idempotencyKey}\n`);
      await setTimeout(20 + Math.random() * Number(process.env.GATEWAY_MILLISECONDS));
      return { status: 'paid', transactionId: `T-${idempotencyKey}` };
    },
  },
};
