import { expect } from 'chai';
import { type OrderStatus, orderStatuses } from '../../domain/orders/order.ts';
import type { User } from '../../domain/users/user.ts';
import type { ContractClient as Client } from '../support/contract-client.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon, type OrderSample, orders } from '../support/program.ts';
import { seededRandom } from '../support/random.ts';
import { suiteService } from '../support/service.ts';

const settings = { 'addons.management': true, 'store.currency': 'EUR', 'store.timezone': 'Europe/Berlin' };

/** Summer time, in which all samples lie. */
const inBerlin = (at: string): string => new Date(Date.parse(at) + 7_200_000).toISOString().slice(0, 10);

onAnyEngine((engine) => {
  describe('GET /orders', () => {
    const { service, admin } = suiteService(engine, { settings });
    const idsOf = (body: { order_id: number }[]): number[] => body.map(({ order_id }) => order_id);
    const ids = async (client: Client, query = ''): Promise<number[]> => idsOf((await client.get(`/orders${query}`)).body);

    let ann: User;
    let bob: User;
    let asAnn: Client;
    let asBob: Client;
    let couponIds: Record<'first' | 'second' | 'digits' | 'bobs' | 'nobodys', number>;
    let samples: OrderSample[];
    before(async () => {
      await service.withoutLimits();
      [ann, bob] = [await service.user('ann', 'affiliate'), await service.user('bob', 'affiliate')];
      [asAnn, asBob] = [await service.clientOf(ann), await service.clientOf(bob)];
      couponIds = {
        first: await coupon(service, 'Trail10', { userId: ann.id }),
        second: await coupon(service, 'SHARED', { userId: ann.id }),
        // The number of an order of another affiliate.
        digits: await coupon(service, '100003', { userId: ann.id }),
        bobs: await coupon(service, 'shared', { userId: bob.id }),
        nobodys: await coupon(service, 'FREE'),
      };
      const random = seededRandom(38);
      const coupons = Object.values(couponIds);
      samples = Array.from({ length: 700 }, (_, n) => ({
        id: 100_000 + n,
        coupon: n === 3 ? couponIds.bobs : random.pick(coupons),
        // Many at the same moment, so that only the number tells them apart.
        at: new Date(Date.parse('2026-06-01T00:00:00Z') + random.below(60) * 86_400_000 + random.below(24) * 3_600_000).toISOString(),
        status: random.pick(orderStatuses),
      }));
      await orders(service, samples);
    });

    const ownerOf = ({ coupon: id }: OrderSample): number => (id === couponIds.nobodys ? 0 : id === couponIds.bobs ? bob.id : ann.id);
    const newestFirst = (one: OrderSample, other: OrderSample): number => Date.parse(other.at) - Date.parse(one.at) || other.id - one.id;
    const expected = (matches: (sample: OrderSample) => boolean): number[] =>
      samples
        .filter(matches)
        .toSorted(newestFirst)
        .map(({ id }) => id);

    it('has the record of GET /coupons/{id}/orders, with the coupon and its owner', async () => {
      for (const [id, code, userId] of [
        [couponIds.first, 'Trail10', ann.id],
        [couponIds.nobodys, 'FREE', 0],
      ] as const) {
        const { body: ofCoupon } = await admin.get(`/coupons/${id}/orders?per_page=100`);
        const { body } = await admin.get(`/orders?coupon_id=${id}&per_page=100`);
        expect(body).to.deep.equal(ofCoupon.map((order: object) => ({ ...order, coupon_id: id, coupon: code, user_id: userId })));
        expect(body).not.to.deep.equal([]);
      }
    });

    interface Case {
      query: string;
      matches(sample: OrderSample): boolean;
    }
    const isCompleted = ({ status }: { status?: OrderStatus }): boolean => status === 'completed';
    const isInRange = ({ at }: OrderSample): boolean => inBerlin(at) >= '2026-06-10' && inBerlin(at) <= '2026-07-05';
    const cases: Case[] = [
      { query: '', matches: () => true },
      { query: '&from=2026-06-10&to=2026-07-05', matches: isInRange },
      { query: '&status=completed', matches: isCompleted },
      { query: '&commission_status=reversed', matches: ({ status = '' }) => ['failed', 'cancelled', 'refunded'].includes(status) },
      { query: '&search=TRAIL10', matches: ({ coupon: id }) => id === couponIds.first },
      { query: '&search=shared', matches: ({ coupon: id }) => [couponIds.second, couponIds.bobs].includes(id) },
      {
        query: '&search=shared&status=completed&to=2026-07-05',
        matches: (one) => [couponIds.second, couponIds.bobs].includes(one.coupon) && isCompleted(one) && inBerlin(one.at) <= '2026-07-05',
      },
      { query: '&search=100003', matches: ({ id, coupon: of }) => id === 100_003 || of === couponIds.digits },
      { query: '&search=100007', matches: ({ id }) => id === 100_007 },
      { query: '&search=rail', matches: () => false },
      { query: '&search=10000', matches: () => false },
      { query: '&search=99999999999999999999', matches: () => false },
    ];

    it('omits no order and repeats none, whoever asks, however far the page, whatever the filter', async () => {
      const callers: [Client, string, (sample: OrderSample) => boolean][] = [
        [admin, '', () => true],
        [admin, `&user_id=${ann.id}`, (sample) => ownerOf(sample) === ann.id],
        [admin, `&coupon_id=${couponIds.second}`, ({ coupon: id }) => id === couponIds.second],
        [admin, `&coupon_id=${couponIds.second}&user_id=${bob.id}`, () => false],
        [admin, '&user_id=9007199254740991', () => false],
        [asAnn, '', (sample) => ownerOf(sample) === ann.id],
        // Only admins can ask for another user.
        [asAnn, `&user_id=${bob.id}`, (sample) => ownerOf(sample) === ann.id],
        [asAnn, `&coupon_id=${couponIds.bobs}`, () => false],
        [asBob, '', (sample) => ownerOf(sample) === bob.id],
      ];
      for (const [client, scope, isVisible] of callers)
        for (const { query, matches } of cases) {
          const all = expected((sample) => isVisible(sample) && matches(sample));
          const read: number[] = [];
          for (let page = 1; page <= Math.ceil(all.length / 53) + 1; page += 1) {
            const { body, headers } = await client.get(`/orders?per_page=53&page=${page}${scope}${query}`);
            expect(Number(headers.get('X-Svc-Total')), `${scope}${query}`).to.equal(all.length);
            read.push(...idsOf(body));
          }
          expect(read, `${scope}${query}`).to.deep.equal(all);
        }
    });

    it('follows the owner of a coupon, with all the orders that it had', async () => {
      const id = await coupon(service, 'HANDED', { userId: bob.id });
      await orders(service, [{ id: 200_001, coupon: id, at: '2026-08-01T10:00:00Z' }]);
      const carl = await service.user('carl', 'affiliate');
      expect(await ids(asBob, '?from=2026-08-01')).to.deep.equal([200_001]);
      await service.storage.write(({ couponTerms }) => couponTerms.assign(id, carl.id, 1));
      expect(await ids(asBob, '?from=2026-08-01')).to.deep.equal([]);
      expect(await ids(await service.clientOf(carl))).to.deep.equal([200_001]);
      expect(await ids(admin, `?user_id=${carl.id}&status=completed`)).to.deep.equal([200_001]);
    });
  });
});
