import { expect } from 'chai';
import type { Role, User } from '../../domain/users/user.ts';
import { mailsOf } from '../support/applications.ts';
import type { Eml } from '../support/eml.ts';
import { onAnyEngine } from '../support/engines.ts';
import { PageVisitor } from '../support/page-visitor.ts';
import { coupon } from '../support/program.ts';
import { testService } from '../support/service.ts';

const password = 'correct horse battery';
const newPassword = 'a long enough new password';
const hour = 3_600_000;
const settings = { 'addons.management': true, 'service.url': 'https://partners.fjell.example', 'store.timezone': 'UTC' };

const linkIn = (mail: Eml | undefined): string => /https:\/\/partners\.fjell\.example(\/\S+)/.exec(mail?.parts[0]?.text ?? '')?.[1] ?? '';

onAnyEngine((engine) => {
  const { service, admin, clock } = testService(engine, { settings });

  /** With a coupon, so that admins are affiliates, too. */
  const affiliate = async (login: string, role: Role = 'affiliate'): Promise<User> => {
    const user = await service.user(login, role, { password });
    await coupon(service, login.toUpperCase(), { userId: user.id });
    return user;
  };
  const invite = ({ id }: Pick<User, 'id'>, by = admin) => by.post(`/affiliates/${id}/invitation`);
  const setStatus = ({ id }: Pick<User, 'id'>, status: string, by = admin) => by.post(`/affiliates/${id}/status`, { json: { status } });
  const newestLink = async (): Promise<string> => linkIn((await mailsOf(service)).at(-1));
  const setPassword = async (link: string): Promise<number> => {
    const visitor = new PageVisitor(service.origin);
    if ((await visitor.open(link)).status !== 200) return visitor.page.status;
    return (await visitor.submit({ password: newPassword, repeated: newPassword })).status;
  };

  for (const [name, call] of [
    ['POST /affiliates/{id}/invitation', invite],
    ['POST /affiliates/{id}/status', (user: Pick<User, 'id'>, by = admin) => setStatus(user, 'disabled', by)],
  ] as const)
    describe(name, () => {
      it('is refused for administrators and managers, oneself among them, and answers 404 for who is no affiliate', async () => {
        const boss = await affiliate('boss', 'administrator');
        const manager = await affiliate('manager', 'manager');
        const byManager = await service.clientOf(manager, ['manage']);
        for (const target of [boss, manager])
          for (const by of [admin, byManager]) {
            const { status, body } = await call(target, by);
            expect([status, body.code]).to.deep.equal([403, 'svc_api_cannot_manage_user']);
          }
        for (const target of [await service.user('customer', 'customer'), await service.user('plain', 'administrator'), { id: 999_999 }])
          expect((await call(target)).status).to.equal(404);
        expect(await mailsOf(service)).to.deep.equal([]);
        expect(await service.signIn('boss', password)).to.have.property('svc_session');
        expect((await call(await affiliate('ann'), byManager)).status).to.equal(200);
      });
    });

  it('GET /affiliates lists those with a status alone', async () => {
    const [ann] = [await affiliate('ann'), await affiliate('ben')];
    await setStatus(ann, 'disabled');
    const loginsOf = async (query: string) =>
      (await admin.get<{ user: { login: string } }[]>(`/affiliates${query}`)).body.map(({ user }) => user.login);
    expect(await loginsOf('?status=disabled')).to.deep.equal(['ann']);
    expect(await loginsOf('?status=active&coupons=any')).to.deep.equal(['ben']);
    expect(await loginsOf('')).to.deep.equal(['ann', 'ben']);
  });

  describe('an invitation', () => {
    it('sets a password once, within 72 hours', async () => {
      const ann = await affiliate('ann');
      const { status, body } = await invite(ann);
      const expires = new Date(clock.now() + 72 * hour).toISOString().slice(0, 19);
      expect([status, body]).to.deep.equal([200, { email: ann.email, date_expires: expires }]);
      const [mail, ...others] = await mailsOf(service);
      expect([mail?.headers.get('to'), others]).to.deep.equal([`The ann <${ann.email}>`, []]);
      clock.advance(72 * 3600 - 60);
      expect([await setPassword(linkIn(mail)), await setPassword(linkIn(mail))]).to.deep.equal([200, 404]);
      expect(await service.signIn('ann', newPassword)).to.have.property('svc_session');
      await invite(ann);
      const late = await newestLink();
      clock.advance(72 * 3600);
      expect(await setPassword(late)).to.equal(404);
    });

    it('replaces the one before, also when both are sent at the same time', async () => {
      const ann = await affiliate('ann');
      await Promise.all([invite(ann), invite(ann)]);
      await invite(ann);
      const links = (await mailsOf(service)).map(linkIn);
      const statuses: number[] = [];
      for (const link of links) statuses.push((await new PageVisitor(service.origin).open(link)).status);
      expect(statuses.toSorted()).to.deep.equal([200, 404, 404]);
    });

    it('counts with the links of /forgot-password: at most three mails an hour to an account', async () => {
      const [ann, bob] = [await affiliate('ann'), await affiliate('bob')];
      const visitor = new PageVisitor(service.origin);
      await visitor.open('/forgot-password');
      await visitor.submit({ name: 'ann' });
      await service.work();
      for (const _ of [1, 2]) expect((await invite(ann)).status).to.equal(200);
      const refused = await invite(ann);
      expect([refused.status, refused.body.code]).to.deep.equal([429, 'svc_api_rate_limited']);
      expect(refused.body.data.retry_after).to.be.within(1, 3600);
      expect((await invite(bob)).status).to.equal(200);
      expect(await mailsOf(service)).to.have.length(4);
    });

    it('is refused where no mail can have a link, and for a disabled account, and sends nothing', async () => {
      const ann = await affiliate('ann');
      await setStatus(ann, 'disabled');
      const disabled = await invite(ann);
      expect([disabled.status, disabled.body.code, disabled.body.message]).to.deep.equal([
        409,
        'svc_api_conflict',
        'The account is disabled. Enable it first.',
      ]);
      await setStatus(ann, 'active');
      await service.settings.set('service.url', '');
      const unknown = await invite(ann);
      expect([unknown.status, unknown.body.code]).to.deep.equal([409, 'svc_api_no_service_url']);
      expect(await mailsOf(service)).to.deep.equal([]);
    });
  });

  describe('the status of an affiliate', () => {
    it('ends sessions and refuses keys and passwords while it is disabled, as the command does', async () => {
      const ann = await affiliate('ann');
      const [key, session] = [(await service.key(ann, ['read'])).headers, await service.session('ann', password)];
      const codeOf = async (headers: Record<string, string>): Promise<number> => (await (await service.client(headers)).get('/me')).status;
      const disabled = await setStatus(ann, 'disabled');
      expect([disabled.status, disabled.body.id, disabled.body.status]).to.deep.equal([200, ann.id, 'disabled']);
      expect([await codeOf(key), await codeOf(session)]).to.deep.equal([401, 401]);
      expect(await service.signIn('ann', password)).not.to.have.property('svc_session');
      expect((await setStatus(ann, 'disabled')).body.status).to.equal('disabled');
      expect((await admin.get(`/affiliates/${ann.id}`)).body.status).to.equal('disabled');
      expect((await admin.get('/affiliates')).body.map(({ status }: { status: string }) => status)).to.deep.equal(['disabled']);

      expect((await setStatus(ann, 'active')).body.status).to.equal('active');
      expect([await codeOf(key), await codeOf(session)]).to.deep.equal([200, 401]);
      const { body: events } = await admin.get('/events?event=user_disabled,user_enabled');
      expect(events.map(({ event, event_id }: Record<string, unknown>) => [event, event_id])).to.deep.equal([
        ['user_enabled', ann.id],
        ['user_disabled', ann.id],
      ]);
      expect(events[0].user_id).to.equal((await admin.get('/me')).body.user.id);
    });

    it('refuses another status, and is in no record without the add-on', async () => {
      const ann = await affiliate('ann');
      expect((await setStatus(ann, 'gone')).body.code).to.equal('rest_invalid_param');
      await service.settings.set('addons.management', false);
      expect((await admin.get(`/affiliates/${ann.id}`)).body).not.to.have.property('status');
      expect((await admin.get('/affiliates')).body[0]).not.to.have.property('status');
      for (const refused of [await setStatus(ann, 'disabled'), await invite(ann)])
        expect([refused.status, refused.body.code]).to.deep.equal([404, 'rest_no_route']);
    });
  });
});
