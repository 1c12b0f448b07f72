import type { Transaction } from '../../domain/ports.ts';
import { changeWebhook } from '../../domain/webhooks/change.ts';
import { createWebhook, type WebhookCreationContext } from '../../domain/webhooks/create.ts';
import { operatorAs } from '../operator.ts';

const bookkeeping = {
  name: 'Bookkeeping',
  url: 'https://books.fjell.example/hooks/affiliates',
  events: ['payout.requested', 'payout.paid', 'payout.cancelled'],
};

/** One to look at, and to switch on and off. It is off: nobody listens there, and a demo store sends nothing out of the house. */
export async function makeWebhook(transaction: Transaction, adminId: number, surroundings: WebhookCreationContext): Promise<void> {
  const admin = await transaction.users.byId(adminId);
  if (!admin) throw new Error('The demo store has no administrator.');
  const caller = operatorAs(admin);
  const { webhook } = await createWebhook(transaction, caller, bookkeeping, surroundings);
  await changeWebhook(transaction, caller, webhook.id, { status: 'disabled' }, surroundings.now + 60_000);
}
