import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** A slow payment gateway that logs each payment to a file before it responds. */
export default {
  gateways: {
    async slow({ idempotencyKey }) {
      appendFileSync(process.env.GATEWAY_BOOK, `${idempotencyKey}\n`);
      await setTimeout(20 + Math.random() * Number(process.env.GATEWAY_MILLISECONDS));
      return { status: 'paid', transactionId: `T-${idempotencyKey}` };
    },
  },
};
