import { expect } from 'chai';
import type { Mail, NewMail } from '../../domain/mail/mail.ts';
import { type PayoutEvent, payoutMail } from '../../domain/payouts/payout-mail.ts';
import { webhookDisabledMail } from '../../domain/webhooks/disabled-mail.ts';
import { webhookEvents } from '../../generated/events.ts';
import { composeMessage } from '../../server/mail/compose-message.ts';
import { type Eml, parseEml } from '../support/eml.ts';

const sender = { storeName: 'Fjell & Sønner', shopUrl: 'https://shop.fjell.example:8443/no', serviceUrl: 'https://partners.fjell.example' };
const now = Date.parse('2026-11-02T07:00:00Z');

/** As a mail program shows it. */
const shown = async (mail: NewMail): Promise<Eml> => parseEml((await composeMessage({ ...mail, id: 1 } satisfies Mail)).toString());
const textOf = async (mail: NewMail): Promise<string> => (await shown(mail)).parts[0]?.text ?? '';

describe('the mail about a payout', () => {
  const events = Object.keys(webhookEvents).filter((event) => event.startsWith('payout.')) as PayoutEvent[];
  const about = (event: PayoutEvent, method = 'Bank transfer'): NewMail => {
    const to = { name: 'Ann <b>', address: 'ann@trailnotes.example' };
    return payoutMail({ event, to, amount: '32.38 EUR', couponCode: 'TRAIL10', method, payoutId: 42 }, sender, now);
  };

  it('exists for every payout event of the contract, each with its own subject', () => {
    expect(events).to.have.length(8);
    expect(new Set(events.map((event) => about(event).subject)).size).to.equal(8);
  });

  for (const event of events)
    it(`names affiliate, amount, coupon and next step, as text and as HTML: ${event}`, async () => {
      const mail = about(event);
      const { headers, parts } = await shown(mail);
      expect(Object.fromEntries(headers)).to.include({
        from: 'Fjell & Sønner <no-reply@shop.fjell.example>',
        to: 'Ann <b> <ann@trailnotes.example>',
        subject: mail.subject,
      });
      expect(mail.subject).to.match(/^Fjell & Sønner: your payout of 32\.38 EUR (was|is|waits|could) [a-z -]+$/);
      const [text, html] = parts;
      for (const piece of ['Ann <b>', '32.38 EUR', 'TRAIL10', 'payout is 42', sender.shopUrl, `${sender.serviceUrl}/console/payouts`])
        expect(text?.text).to.include(piece);
      expect(html?.text)
        .to.include('<p>Hello Ann &lt;b&gt;,</p>')
        .and.include('TRAIL10')
        .and.include(`<a href="${sender.serviceUrl}/console/payouts">`);
      expect(text?.text).not.to.match(/undefined|\n\n\n| {2}/);
    });

  it('has no link while the address of the service is unknown', async () => {
    const mail = payoutMail(
      {
        event: 'payout.paid',
        to: { name: 'Ann', address: 'ann@trailnotes.example' },
        amount: '1.00 EUR',
        couponCode: 'A',
        method: '',
        payoutId: 1,
      },
      { ...sender, serviceUrl: '' },
      now,
    );
    expect(mail.text + mail.html).not.to.match(/console|href/);
  });

  it('names the payment method if there is one, and leaves no gap otherwise', async () => {
    for (const event of ['payout.created', 'payout.paid'] as const) {
      expect(await textOf(about(event))).to.include(' by Bank transfer.');
      expect(await textOf(about(event, ''))).not.to.match(/ by|undefined| \./);
    }
  });
});

describe('the mail about a disabled webhook', () => {
  const webhook = {
    id: 3,
    name: 'Books',
    url: 'https://hooks.books.example/in?token=hush',
    events: ['*'],
    status: 'disabled' as const,
    failures: 25,
    failingSince: now,
    nextProbeAt: null,
    lastDeliveryAt: now,
    lastError: 'The receiver answered 500.',
    encryptedSecret: 'v1:secret',
    createdBy: 1,
    createdAt: now,
  };
  const admin = {
    id: 1,
    login: 'ann',
    email: 'ann@fjell.example',
    displayName: 'Ann',
    role: 'administrator' as const,
    parentId: null,
    registeredAt: now,
  };

  it('names the webhook, the reason and what to do, and never its secret or the query of its URL', async () => {
    for (const name of ['Books', '']) {
      const mail = webhookDisabledMail({ ...webhook, name }, admin, '25 attempts in a row failed.', sender, now);
      const { headers, parts } = await shown(mail);
      expect(headers.get('to')).to.equal('Ann <ann@fjell.example>');
      expect(headers.get('subject')).to.match(/^Fjell & Sønner: the webhook 3 \((Books|hooks\.books\.example)\) was disabled$/);
      expect(parts[0]?.text).to.include('25 attempts in a row failed.').and.include('set its status to active');
      expect(JSON.stringify(parts)).not.to.match(/hush|secret/);
    }
  });
});
