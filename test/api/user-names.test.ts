import { expect } from 'chai';
import { createUser } from '../../domain/users/create.ts';
import type { NewUser } from '../../domain/users/user.ts';
import { newUser } from '../db/samples.ts';
import { importObjects } from '../program/import-support.ts';
import { submit } from '../support/applications.ts';
import { forEachEngine } from '../support/engines.ts';
import { testService } from '../support/service.ts';

const victim = 'Ada@Shop.example';

forEachEngine((engine) => {
  describe('a login or email of a user', () => {
    const { service, admin } = testService(engine, { settings: { 'addons.store': true } });

    const create = (user: Partial<NewUser>) => service.storage.write((transaction) => createUser(transaction, newUser(user)));
    const refused = (name: string) => `A user with the login or email ${name} exists already.`;

    /** Every way to create or change a user, with the reason why it was refused; null when it was not. */
    const ways: Record<string, (names: { login: string; email: string; id?: number }) => Promise<string | null>> = {
      'affiliate user create': (names) =>
        create(names).then(
          () => null,
          ({ message }: Error) => message,
        ),
      'affiliate import': async (names) => {
        const { errors } = await importObjects(service.storage, [{ kind: 'user', ...names, display_name: 'x' }]);
        return errors[0]?.reason ?? null;
      },
      'POST /store/affiliates': async (names) =>
        (await admin.post('/store/affiliates', { json: [{ ...names, display_name: 'x' }] })).body[0].reason,
    };

    for (const [way, write] of Object.entries(ways)) {
      it(`is not another user's login or email, whatever its case: ${way}`, async () => {
        await create({ login: victim, email: 'mail@shop.example' });
        await create({ login: 'bob', email: 'Bob@shop.example' });
        const name = victim.toLowerCase();
        expect(await write({ login: 'mallory', email: name })).to.equal(refused(name));
        expect(await write({ login: 'BOB@shop.example', email: 'new@shop.example' })).to.equal(refused('BOB@shop.example'));
        expect(await write({ login: 'eve@shop.example', email: 'Eve@shop.example' }), 'the own email as login').to.equal(null);
        for (const found of [victim, 'bob@shop.example'])
          expect(await service.storage.read(({ users }) => users.byLoginOrEmail(found))).to.deep.include(
            found === victim ? { login: victim } : { login: 'bob' },
          );
      });

      if (way !== 'affiliate user create')
        it(`keeps the email of a user with a password, unless the record has the id of the user: ${way}`, async () => {
          const { id } = await service.user('carl', 'customer', { password: 'correct horse' });
          const moved = { login: 'carl', email: 'carl@new.example' };
          for (const record of [moved, { ...moved, id: id + 1 }])
            expect(await write(record)).to.equal(
              `The login carl belongs to user ${id}, who has another email address and an account here. If the record is of the same person, send its id ${id} with it; otherwise send another login.`,
            );
          expect(await write({ login: 'carl', email: 'CARL@shop.example' }), 'the same address').to.equal(null);
          expect(await write({ ...moved, id })).to.equal(null);
        });

      if (way !== 'affiliate user create')
        it(`does not become another user's login by a change: ${way}`, async () => {
          await create({ login: victim, email: 'mail@shop.example' });
          const { id } = await create({ login: 'mallory', email: 'mallory@shop.example', role: 'customer' });
          expect(await write({ login: 'mallory', email: victim })).to.equal(refused(victim));
          expect(await write({ login: 'mallory', email: 'm2@shop.example', id })).to.equal(null);
        });
    }

    it('of an erased user is refused by POST /store/affiliates, and changed by no import, which may make one that is free', async () => {
      const record = { login: 'erased-77', email: 'someone@shop.example' };
      const sent = (way: string) => ways[way]?.(record);
      expect(await sent('POST /store/affiliates')).to.equal('The login erased-77 is reserved for an erased user: choose another one.');
      expect(await sent('affiliate import')).to.equal(null);
      expect(await sent('affiliate import'), 'again').to.equal(null);
      record.email = 'else@shop.example';
      expect(await sent('affiliate import')).to.equal('The login erased-77 is reserved for an erased user: its record cannot be changed.');
    });

    it('of an erased user is neither changed by the store nor named in its records, also one with a number', async () => {
      const login = 'erased-78-2';
      await create({ login, email: 'erased-78-2@erased.invalid' });
      const reason = async (kind: string, record: object) => (await admin.post(`/store/${kind}`, { json: [record] })).body[0].reason ?? '';
      for (const [kind, record] of [
        ['affiliates', { login, email: 'hacker@x.example', display_name: 'x' }],
        ['affiliates', { login: 'child', email: 'child@x.example', display_name: 'x', parent: login }],
        ['coupons', { code: 'ERASED10', user: login }],
        ['registrations', { login: 'erased-900', email: 'late@x.example', display_name: 'x', coupon_code: 'LATE' }],
      ] as const)
        expect(await reason(kind, record), kind).to.include('is reserved for an erased user');
    });

    it('of an application is numbered as a login and refused as an email', async () => {
      await create({ login: victim, email: 'mail@shop.example' });
      const accept = async (application: object) =>
        admin.post(`/registrations/${await submit(service, application)}/status`, { json: { status: 'accepted' } });
      const { status, body } = await accept({ login: 'mallory', email: victim.toLowerCase(), couponCode: 'A' });
      expect([status, body.code, body.message]).to.deep.equal([
        409,
        'svc_api_not_updated',
        'The email ada@shop.example is the login of another user.',
      ]);
      const numbered = await accept({ login: 'mail@shop.example', email: 'carl@shop.example', couponCode: 'B' });
      expect([numbered.status, numbered.body.user.login]).to.deep.equal([200, 'mail@shop.example2']);
    });

    it('is held by one user when 12 concurrent writes use it as login and as email', async () => {
      // Opens all connections, so that the writes below run at the same time.
      await Promise.all(Array.from({ length: 8 }, () => create({})));
      const tries = Array.from({ length: 12 }, (_, at) =>
        create(at % 2 === 0 ? { login: 'x@shop.example', email: `${at}@shop.example` } : { login: `x${at}`, email: 'X@shop.example' }),
      );
      const results = await Promise.allSettled(tries);
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    });

    it('signs in and names its own user after an attempt to take it', async () => {
      await service.user(victim, 'affiliate', { password: 'correct horse' });
      for (const write of Object.values(ways)) await write({ login: 'mallory', email: victim });
      const me = await (await service.client(await service.session(victim, 'correct horse'))).get('/me');
      expect(me.body.user.login).to.equal(victim);
    });
  });
});
