import { expect } from 'chai';
import { mailsOf, march, submit } from '../support/applications.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService, type TestService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('concurrent decisions of several admins on two servers', () => {
    let services: [TestService, TestService];
    let clients: ContractClient[];
    beforeEach(async () => {
      const one = await startService(engine);
      services = [one, await startService(engine, { databaseUrl: one.databaseUrl })];
      const headers: Record<string, string>[] = [];
      for (const login of ['ann', 'bob']) headers.push(await one.appPassword(await one.user(login, 'administrator')));
      clients = await Promise.all(services.flatMap((service) => headers.map((header) => service.client(header))));
      // Signed in and warm, so that all get to the decision at about the same time.
      await Promise.all(clients.map((client) => client.get('/me')));
    });

    const query = async <Row>(sql: string): Promise<Row[]> => (await engine.observe(services[0].databaseUrl)).query<Row>(sql);
    const kinds = async (): Promise<string[]> =>
      (await query<{ kind: string }>('select kind from events order by id')).map(({ kind }) => kind);
    const count = async (rows: string): Promise<number> => (await query(`select 1 from ${rows}`)).length;
    const sent = async (): Promise<number> => (await Promise.all(services.map(mailsOf))).flat().length;
    /** Sends all decisions at once, to both servers and by both admins in turn, and gives the answers as `200` or `409 svc_api_conflict`. */
    const decideAll = (decisions: readonly { id: number; status: string }[]): Promise<string[]> =>
      Promise.all(
        decisions.map(async ({ id, status: to }, index) => {
          const { status, body } =
            (await clients[index % clients.length]?.post(`/registrations/${id}/status`, { json: { status: to } })) ?? {};
          return status === 200 ? `200 ${body.status}` : `${status} ${body.code}`;
        }),
      );
    const losers = ['409 svc_api_conflict', '400 svc_api_no_change', '400 svc_api_already_accepted'];
    const expectLosers = (answers: readonly string[]): void => {
      for (const answer of answers) expect(losers).to.include(answer);
    };

    it('accept an application once of twenty times: one coupon, one user, one mail, each event once', async () => {
      const id = await submit(services[0]);
      const answers = await decideAll(Array.from({ length: 20 }, () => ({ id, status: 'accepted' })));
      const winners = answers.filter((answer) => answer === '200 accepted');
      expect(winners).to.have.length(1);
      expectLosers(answers.filter((answer) => answer !== '200 accepted'));
      expect(await kinds()).to.deep.equal(['registration', 'registration_accept', 'affiliate_created']);
      expect([await count('coupons'), await count("users where role = 'affiliate'"), await count('mails'), await sent()]).to.deep.equal([
        1, 1, 1, 1,
      ]);
    });

    it('accept or decline an application once for each of its steps', async () => {
      const id = await submit(services[0]);
      const answers = await decideAll(Array.from({ length: 20 }, (_, index) => ({ id, status: index % 2 ? 'accepted' : 'declined' })));
      const winners = answers.filter((answer) => answer.startsWith('200')).toSorted();
      // A caller that reads it as declined may still accept it: then there are two steps, and nothing else can come after.
      expect(['200 accepted', '200 declined', '200 accepted,200 declined']).to.include(String(winners));
      expectLosers(answers.filter((answer) => !answer.startsWith('200')));
      const accepted = winners.includes('200 accepted');
      const steps = [
        ...(winners.includes('200 declined') ? ['registration_decline'] : []),
        ...(accepted ? ['registration_accept', 'affiliate_created'] : []),
      ];
      expect(await kinds()).to.deep.equal(['registration', ...steps]);
      expect([await count('coupons'), await count("users where role = 'affiliate'")]).to.deep.equal(accepted ? [1, 1] : [0, 0]);
      expect([await count('mails'), await sent()]).to.deep.equal([winners.length, winners.length]);
    });

    it('accept one of twenty applications for one code, and the others leave no user behind', async () => {
      const ids = [];
      for (let made = 0; made < 20; made += 1) ids.push(await submit(services[0], { email: `a${made}@b.example`, login: `a${made}` }));
      const answers = await decideAll(ids.map((id) => ({ id, status: 'accepted' })));
      expect(answers.toSorted()).to.deep.equal(['200 accepted', ...Array(19).fill('409 svc_api_not_updated')]);
      expect([await count('coupons'), await count("users where role = 'affiliate'"), await sent()]).to.deep.equal([1, 1, 1]);
      expect(await count("registrations where status = 'pending' and user_id is null and coupon_id is null")).to.equal(19);
    });

    it('accept ten applications of one person as one user with ten coupons, who becomes an affiliate once', async () => {
      const ids = [];
      for (let made = 0; made < 10; made += 1) ids.push(await submit(services[0], { couponCode: `CODE${made}`, at: march + made * 1000 }));
      const answers = await decideAll(ids.map((id) => ({ id, status: 'accepted' })));
      expect(answers).to.deep.equal(Array(10).fill('200 accepted'));
      expect([await count('coupons where user_id = 3'), await count("users where role = 'affiliate'")]).to.deep.equal([10, 1]);
      expect((await kinds()).filter((kind) => kind === 'affiliate_created')).to.have.length(1);
    });
  });
});
