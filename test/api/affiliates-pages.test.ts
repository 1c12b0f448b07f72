import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { suiteService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('the pages of the affiliates', () => {
    const { service, admin } = suiteService(engine);
    before(async () => {
      for (let number = 0; number < 13; number += 1) {
        const user = await service.user(`affiliate${number}`, 'affiliate');
        for (let more = 0; more <= number % 3; more += 1) await coupon(service, `C${number}-${more}`, { userId: user.id });
      }
    });

    const orders = ['id', 'display_name', 'unpaid_commission', 'date_registered'].flatMap((by) => [`${by}&order=asc`, `${by}&order=desc`]);
    for (const query of orders.flatMap((order) => [`orderby=${order}`, `orderby=${order}&search=affiliate`]))
      it(`contain each affiliate once, however many coupons it has: ${query}`, async () => {
        const seen: number[] = [];
        for (let page = 1; page <= 5; page += 1) {
          const { body, headers } = await admin.get(`/affiliates?${query}&per_page=3&page=${page}`);
          expect(headers.get('X-Svc-Total')).to.equal('13');
          seen.push(...body.map(({ id }: { id: number }) => id));
        }
        expect([seen.length, new Set(seen).size]).to.deep.equal([13, 13]);
      });
  });
});
