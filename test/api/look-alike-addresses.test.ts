import { expect } from 'chai';
import { mailsOf } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { PageVisitor } from '../support/page-visitor.ts';
import { suiteService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('an application by /apply', () => {
    const { service, clock, admin } = suiteService(engine, {
      settings: { 'service.url': 'https://partners.example', 'registration.open': true, 'addons.store': true },
    });

    async function apply(email: string): Promise<void> {
      const visitor = new PageVisitor(service.origin);
      await visitor.open('/apply');
      clock.advance(4);
      await visitor.submit({ display_name: 'Kim', email, coupon_code: email.replaceAll(/\W/g, ''), website: '', promote: '' });
      await service.flush();
    }

    it('mails to the stored address of a user, never to one that only compares equal', async () => {
      await admin.post('/store/affiliates', { json: [{ login: 'kim', email: 'kim@x.example', display_name: 'Kim', role: 'customer' }] });
      // The Kelvin sign, of which the small letter is k.
      await apply('\u212Aim@x.example');
      const [confirmation] = await mailsOf(service);
      expect(confirmation?.headers.get('to')).to.equal('kim@x.example');
      const [, path = ''] = /https:\/\/partners\.example(\/\S+)/.exec(confirmation?.parts[0]?.text ?? '') ?? [];
      const confirming = new PageVisitor(service.origin);
      await confirming.open(path);
      await confirming.submit({});
      const [{ id }] = (await admin.get('/registrations')).body;
      await admin.post(`/registrations/${id}/status`, { json: { status: 'accepted', send_email: true } });
      const decision = (await mailsOf(service)).at(-1);
      expect(decision?.headers.get('to')).to.equal('Kim <kim@x.example>');
      expect(decision?.parts[0]?.text).to.include('/set-password?token=');
    });

    it('fills no mailbox by addresses with tags', async () => {
      for (let tag = 0; tag < 5; tag += 1) await apply(`target+${tag}@x.example`);
      const recipients = (await mailsOf(service)).map(({ headers }) => headers.get('to') ?? '').filter((to) => to.startsWith('target'));
      expect(recipients).to.have.length(3);
    });
  });
});
