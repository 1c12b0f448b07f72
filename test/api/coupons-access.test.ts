import { expect } from 'chai';
import type { User } from '../../domain/users/user.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { coupon, orders, parent } from '../support/program.ts';
import { startService } from '../support/service.ts';

const people = ['owner', 'other', 'tier1', 'tier2', 'below', 'customer', 'manager', 'administrator'] as const;
type Person = (typeof people)[number];

const roleOf = (person: Person) => (person === 'customer' || person === 'manager' || person === 'administrator' ? person : 'affiliate');

const admins: Person[] = ['manager', 'administrator'];
const withUpline: Person[] = ['owner', 'tier1', 'tier2', ...admins];

onAnyEngine((engine) => {
  describe('access to the data of an affiliate', () => {
    const service = suiteFixture(() => startService(engine));
    const users = new Map<Person, User>();
    const idOf = (person: Person): number => users.get(person)?.id ?? 0;
    let couponId: number;
    before(async () => {
      for (const person of people) users.set(person, await service.user(person, roleOf(person)));
      await parent(service, idOf('owner'), idOf('tier1'));
      await parent(service, idOf('tier1'), idOf('tier2'));
      await parent(service, idOf('below'), idOf('owner'));
      couponId = await coupon(service, 'OWNED', { userId: idOf('owner') });
      for (const person of ['other', 'tier1', 'below'] as const) await coupon(service, person, { userId: idOf(person) });
      await orders(service, [{ id: 1, coupon: couponId, at: '2026-10-05T12:00:00Z', visitor: 'a visitor' }]);
    });

    const clients = new Map<Person, ContractClient>();
    before(async () => {
      for (const [person, user] of users) clients.set(person, await service.clientOf(user, ['read']));
    });
    const callAs = (person: Person, path: string) => (clients.get(person) as ContractClient).get(path);

    async function readers(path: string): Promise<Person[]> {
      const allowed: Person[] = [];
      for (const person of people) {
        const { status, body } = await callAs(person, path);
        if (status === 200) allowed.push(person);
        else
          expect([status, body.code], `${person} ${path}`).to.be.deep.oneOf([
            [404, 'svc_api_not_found'],
            [403, 'svc_api_forbidden'],
          ]);
      }
      return allowed;
    }

    const ofCoupon = (): string[] =>
      ['', '/stats', '/orders', '/stats?from=2026-10-01&interval=day'].map((rest) => `/coupons/${couponId}${rest}`);
    const ofAffiliate = (): string[] => ['', '/stats', '/stats?from=2026-10-01'].map((rest) => `/affiliates/${idOf('owner')}${rest}`);

    it('to a coupon, its figures and orders is for admins, its owner and the upline only', async () => {
      for (const path of ofCoupon()) expect(await readers(path), path).to.have.members(withUpline);
    });

    it('to an affiliate and its figures is for admins and the affiliate, not for the upline', async () => {
      for (const path of ofAffiliate()) expect(await readers(path), path).to.have.members(['owner', ...admins]);
    });

    it('is denied to the upline in the free edition, and while the add-on is not active', async () => {
      for (const [path, value] of [
        ['edition', 'free'],
        ['addons.multi_level', false],
      ] as const) {
        await service.settings.set(path, value);
        for (const each of ofCoupon()) expect(await readers(each), each).to.have.members(['owner', ...admins]);
        await service.settings.unset(path);
      }
    });

    it('to an unassigned coupon is for admins only', async () => {
      const unassigned = await coupon(service, 'UNASSIGNED');
      expect(await readers(`/coupons/${unassigned}`)).to.have.members(admins);
    });

    it('is checked after the parameters: invalid ones are answered 400 before the record is looked up', async () => {
      for (const path of [
        `/coupons/${couponId}/stats?from=2026-10-02&to=2026-10-01`,
        '/coupons/999999/stats?from=2026-10-02&to=2026-10-01',
      ])
        expect((await callAs('other', path)).body.code).to.equal('rest_invalid_param');
    });

    it('to login and email of a user is for that user, not for the upline', async () => {
      const { body } = await callAs('tier1', `/coupons/${couponId}`);
      expect(body.user).to.deep.equal({ id: idOf('owner'), display_name: 'The owner' });
      expect((await callAs('owner', `/coupons/${couponId}`)).body.user).to.include({ login: 'owner', email: 'owner@shop.example' });
    });

    it('to the reasons against a payout is for callers who may request it, and not for the upline', async () => {
      await service.settings.set('payouts.requests_enabled', false);
      const eligibility = async (person: Person) => (await callAs(person, `/coupons/${couponId}`)).body.payout_eligibility;
      expect((await eligibility('owner')).reasons).to.include('svc_api_requests_disabled');
      expect((await eligibility('manager')).reasons).not.to.include('svc_api_requests_disabled');
      expect(await eligibility('tier1')).to.equal(undefined);
      await service.settings.unset('payouts.requests_enabled');
    });
  });
});
