import { expect } from 'chai';
import type { HookVerdict, RegistrationHookRequest } from '../../site/extension.ts';
import { mailsOf, submit } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { testService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('the beforeRegistration hook of a site', () => {
    let asked: RegistrationHookRequest[];
    let answer: (request: RegistrationHookRequest) => HookVerdict | Promise<HookVerdict>;
    beforeEach(() => {
      asked = [];
      answer = () => null;
    });
    const beforeRegistration = (request: RegistrationHookRequest) => {
      asked.push(request);
      return answer(request);
    };
    const { service, admin } = testService(engine, { siteModule: { beforeRegistration } });

    const decide = (id: number, status: string) => admin.post(`/registrations/${id}/status`, { json: { status } });
    const query = async <Row>(sql: string): Promise<Row[]> => (await engine.observe(service.databaseUrl)).query<Row>(sql);
    /** Whatever an acceptance leaves behind. */
    const traces = async () => ({
      users: (await query<{ login: string }>('select login from users order by id')).map(({ login }) => login),
      coupons: (await query<{ code: string }>('select code from coupons')).map(({ code }) => code),
      events: (await query<{ kind: string }>('select kind from events order by id')).map(({ kind }) => kind),
      registrations: await query('select status, user_id, coupon_id, reviewed_by, accepted_at, declined_at from registrations'),
      mails: [(await query('select id from mails')).length, (await mailsOf(service)).length],
    });
    const untouched = { status: 'pending', user_id: null, coupon_id: null, reviewed_by: null, accepted_at: null, declined_at: null };
    const nothing = {
      users: ['administrator'],
      coupons: [] as string[],
      events: ['registration'],
      registrations: [untouched],
      mails: [0, 0],
    };

    it('is called for every decision that is possible, with all it needs to know', async () => {
      const id = await submit(service);
      await decide(id, 'declined');
      await decide(id, 'accepted');
      const applicant = { email: 'hello@trailnotes.example', displayName: 'Trail Notes' };
      const request = { registrationId: id, applicant, couponCode: 'TRAIL10', decidedBy: 1 };
      expect(asked).to.deep.equal([
        { ...request, decision: 'declined' },
        { ...request, decision: 'accepted' },
      ]);
    });

    it('is not called for a decision that is impossible', async () => {
      const id = await submit(service, { couponCode: '' });
      await decide(id, 'accepted');
      await decide(999, 'accepted');
      await decide(id, 'pending');
      expect(asked).to.deep.equal([]);
    });

    it('can refuse either decision with its reason, and nothing changes', async () => {
      answer = async () => ({ refuse: 'Ask the sales team first.' });
      const id = await submit(service);
      for (const decision of ['accepted', 'declined']) {
        const { status, body } = await decide(id, decision);
        expect([status, body.code, body.message]).to.deep.equal([409, 'svc_api_not_updated', 'Ask the sales team first.']);
      }
      expect(await traces()).to.deep.equal(nothing);
    });

    it('refuses by an error or an invalid answer too; the reason is in the log, not in the response', async () => {
      const id = await submit(service);
      const failures: (typeof answer)[] = [
        () => {
          throw new Error('secret reason');
        },
        () => Promise.reject(new Error('secret reason')),
        () => true as unknown as HookVerdict,
      ];
      for (answer of failures) {
        const { status, body } = await decide(id, 'accepted');
        expect([status, body.code]).to.deep.equal([409, 'svc_api_not_updated']);
        expect(body.message).to.equal('The application could not be decided as asked.');
      }
      expect(service.log.join('')).to.include('beforeRegistration').and.include('secret reason');
      expect(await traces()).to.deep.equal(nothing);
    });

    it('may call this service while it runs, without a deadlock', async () => {
      answer = async () => {
        expect((await admin.post('/keys', { json: {} })).status).to.equal(201);
      };
      expect((await decide(await submit(service), 'accepted')).status).to.equal(200);
    });

    it('loses against another decision that was made while it ran', async () => {
      const id = await submit(service);
      answer = async ({ decision }) => {
        if (decision === 'accepted') expect((await decide(id, 'declined')).status).to.equal(200);
      };
      const { status, body } = await decide(id, 'accepted');
      expect([status, body.code]).to.deep.equal([409, 'svc_api_conflict']);
      const { users, coupons, events, mails } = await traces();
      expect({ users, coupons, events, mails }).to.deep.equal({
        users: ['administrator'],
        coupons: [],
        events: ['registration', 'registration_decline'],
        mails: [1, 1],
      });
    });

    it('loses against a coupon of that code created while it ran: nothing of the acceptance is left', async () => {
      const id = await submit(service);
      answer = async () => void (await coupon(service, 'Trail10'));
      const { status, body } = await decide(id, 'accepted');
      expect([status, body.code]).to.deep.equal([409, 'svc_api_not_updated']);
      expect(await traces()).to.deep.equal({ ...nothing, coupons: ['Trail10'] });
    });
  });
});
