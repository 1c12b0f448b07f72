import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { mailsOf, submit } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { startService, testService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('the mail about a decided application', () => {
    const { service, admin, clock } = testService(engine, {
      settings: { 'store.name': 'Fjell', 'store.url': 'https://shop.fjell.example:8443/no' },
    });

    const decide = (id: number, json: Record<string, unknown>) => admin.post(`/registrations/${id}/status`, { json });

    it('has the decision, the store as sender and the message of the admin, as text and as HTML', async () => {
      await decide(await submit(service), { status: 'accepted', message: 'Welcome!\n\nYours, Ann' });
      const [mail] = await mailsOf(service);
      expect(Object.fromEntries(mail?.headers ?? [])).to.include({
        from: 'Fjell <no-reply@shop.fjell.example>',
        to: 'Trail Notes <hello@trailnotes.example>',
        subject: 'Fjell: your application was accepted',
        date: 'Mon, 02 Nov 2026 07:00:00 +0000',
      });
      const [text, html] = mail?.parts ?? [];
      expect(text?.text).to.equal(
        [
          'Hello Trail Notes,',
          'your application to the affiliate program of Fjell was accepted.',
          'Your coupon code is TRAIL10. Customers use it at https://shop.fjell.example:8443/no',
          'Welcome!\n\nYours, Ann',
          'Fjell\nhttps://shop.fjell.example:8443/no\n',
        ].join('\n\n'),
      );
      expect(html?.text).to.include('<p>Welcome!<br>\n<br>\nYours, Ann</p>').and.include('<p>Your coupon code is TRAIL10.');
    });

    it('names no coupon when the application was declined', async () => {
      await decide(await submit(service), { status: 'declined' });
      const [text, html] = (await mailsOf(service))[0]?.parts ?? [];
      expect(text?.text).to.include('was declined.').and.not.include('TRAIL10').and.not.include('\n\n\n');
      expect(html?.text).not.to.include('TRAIL10');
    });

    it('is previewed as it is sent, for either decision, and a preview changes nothing', async () => {
      const message = 'Welcome!\r\n\r\nYours, <b>Ann</b> 🏔';
      const applicants = ['one', 'two'] as const;
      const [accepted, declined] = await Promise.all(
        applicants.map((login) => submit(service, { login, email: `${login}@trail.example`, couponCode: login })),
      );
      const preview = (id: number | undefined, json: Record<string, unknown>) => admin.post(`/registrations/${id}/preview`, { json });
      expect((await preview(accepted, { status: 'accepted' })).body.code).to.equal('rest_no_route');
      await service.settings.set('addons.insights', true);
      const previews = [await preview(accepted, { status: 'accepted', message }), await preview(declined, { status: 'declined', message })];
      expect(previews.map(({ body }) => body.text.includes('Yours, <b>Ann</b> 🏔'))).to.deep.equal([true, true]);
      expect(await mailsOf(service)).to.deep.equal([]);
      expect((await admin.get(`/registrations/${accepted}`)).body).to.deep.include({ status: 'pending', message: '', reviewed_by: null });
      await decide(Number(accepted), { status: 'accepted', message });
      await decide(Number(declined), { status: 'declined', message });
      const mailbox = ({ name, address }: { name: string; address: string }): string => `${name} <${address}>`;
      expect(previews.map(({ body }) => [mailbox(body.from), mailbox(body.to), body.subject, body.text])).to.deep.equal(
        (await mailsOf(service)).map(({ headers, parts }) => [
          ...['from', 'to', 'subject'].map((name) => headers.get(name)),
          parts[0]?.text,
        ]),
      );
      expect((await preview(accepted, { status: 'declined' })).body.code).to.equal('svc_api_already_accepted');
      expect((await preview(declined, { status: 'declined' })).body.code).to.equal('svc_api_no_change');
      const taken = await submit(service, { email: 'late@trail.example', couponCode: 'ONE' });
      expect((await preview(taken, { status: 'accepted' })).body.message).to.equal('A coupon with the code ONE exists already.');
      expect((await preview(999_999, { status: 'accepted' })).status).to.equal(404);
    });

    it('has no link to set a password for who made an account with one since, as its preview, and is not sent to a disabled one', async () => {
      await service.settings.set('addons.insights', true);
      await service.settings.set('service.url', 'https://partners.example');
      const id = await submit(service, { login: 'kim', email: 'kim@shop.example', couponCode: 'KIM' });
      const kim = await service.user('kim', 'customer', { password: 'a long password of a person' });
      await service.storage.write(({ users }) => users.setDisabledAt(kim.id, service.clock.now()));
      for (const path of ['preview', 'status']) {
        const { status, body } = await admin.post(`/registrations/${id}/${path}`, { json: { status: 'accepted' } });
        expect([status, body.code, body.message.endsWith('Enable it first.')]).to.deep.equal([409, 'svc_api_not_updated', true]);
      }
      await service.storage.write(({ users }) => users.setDisabledAt(kim.id, null));
      const { body: preview } = await admin.post(`/registrations/${id}/preview`, { json: { status: 'accepted' } });
      await decide(Number(id), { status: 'accepted' });
      expect(preview.text).not.to.include('set-password');
      expect((await mailsOf(service)).map(({ parts }) => parts[0]?.text)).to.deep.equal([preview.text]);
    });

    it('gets no additional header, recipient, part or markup from a name or a message', async () => {
      const displayName = 'Eve" <eve@evil.example>, "Bob =?UTF-8?B?QmNj?= Ærlig <script>x</script>';
      const message = '\r\nBcc: eve@evil.example\r\n\r\n--=_part-1-Part_1--\r\n.\r\n<img src=x onerror=alert(1)> & "æøå"';
      const email = "o'hara+tag@b.example";
      await decide(await submit(service, { displayName, email }), { status: 'accepted', message });
      const mails = await mailsOf(service);
      expect(mails).to.have.length(1);
      const [{ headers, parts } = { headers: new Map<string, string>(), parts: [] }] = mails;
      expect([...headers.keys()].toSorted()).to.deep.equal([
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ]);
      expect(headers.get('to')).to.equal(`${displayName} <${email}>`);
      const [text, html] = parts;
      expect(parts).to.have.length(2);
      expect(text?.text).to.include(message.replaceAll('\r\n', '\n')).and.include(`Hello ${displayName},`);
      expect(html?.text)
        .to.include('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;æøå&quot;')
        .and.not.match(/<(img|script)/);
    });

    it('is sent by a later attempt, also of another process, when it could not be written, and the decision remains', async () => {
      const folder = path.join(service.dataDir, 'mail');
      const { databaseUrl, dataDir } = service;
      const id = await submit(service);
      rmSync(folder, { recursive: true, force: true });
      await decide(await submit(service, { email: 'first@b.example', couponCode: 'FIRST' }), { status: 'declined' });
      await service.work();
      rmSync(folder, { recursive: true, force: true });
      writeFileSync(folder, 'in the way');
      expect((await decide(id, { status: 'accepted' })).status).to.equal(200);
      await service.work();
      await service.stop();
      rmSync(folder);
      const other = await startService(engine, { databaseUrl, env: { DATA_DIR: dataDir }, clock });
      expect(await mailsOf(other)).to.deep.equal([]);
      clock.advance(60);
      expect((await mailsOf(other)).map(({ headers }) => headers.get('to'))).to.deep.equal(['Trail Notes <hello@trailnotes.example>']);
    });
  });
});
