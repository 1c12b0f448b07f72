import type { NewMail } from '../mail/mail.ts';
import { composeMail, type Sender } from '../mail/mail-templates.ts';
import type { User } from '../users/user.ts';
import { formatLabel, type Webhook } from './webhook.ts';

/** Informs an administrator that a webhook was disabled, why, and what to do. `reason` is one or more whole sentences. */
export function webhookDisabledMail(webhook: Webhook, admin: User, reason: string, sender: Sender, now: number): NewMail {
  const label = formatLabel(webhook);
  const content = {
    to: { name: admin.displayName, address: admin.email },
    subject: `the webhook ${label} was disabled`,
    paragraphs: [
      `the webhook ${label} of ${sender.storeName} was disabled. ${reason}`,
      'It gets no new events; what was on its way at that moment may still arrive. When its receiver works again, set its status to active: what still waits for it is sent then.',
      `What its receiver answered with 410 does not wait, nor what failed too often: affiliate webhook deliveries ${webhook.id} shows it, and affiliate webhook replay sends it again. What happens while the webhook is disabled can be read from the change feed, where that is kept.`,
    ],
    link: { text: 'Open the webhooks', path: '/console/webhooks' },
  };
  return composeMail(content, sender, now);
}
