import { expect } from 'chai';
import { createUser } from '../../domain/users/create.ts';
import type { User } from '../../domain/users/user.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon, orders } from '../support/program.ts';
import { suiteService } from '../support/service.ts';

const day = (number: number): number => Date.parse('2026-03-01T08:15:00Z') + number * 86_400_000;

onAnyEngine((engine) => {
  const { service, admin } = suiteService(engine);
  const people: Record<string, User> = {};
  const idOf = (login: string): number => people[login]?.id ?? 0;
  before(async () => {
    for (const [login, displayName, registered] of [
      ['trail', 'Trail Notes', 3],
      ['summit', 'summit Weekly', 1],
      ['orsted', 'Ørsted & Søn 100%', 2],
      ['draft', 'Only a draft', 4],
      ['customer', 'No coupon at all', 5],
    ] as const) {
      const user = {
        login,
        email: `${login}@mail.example`,
        displayName,
        role: 'customer',
        registeredAt: day(registered),
        passwordHash: null,
      } as const;
      people[login] = await service.storage.write((transaction) => createUser(transaction, user));
    }
  });

  describe('GET /affiliates', () => {
    before(async () => {
      const [first, second] = [
        await coupon(service, 'TRAIL10', { userId: idOf('trail'), createdAt: day(10) }),
        await coupon(service, 'TRAIL20', { userId: idOf('trail'), createdAt: day(11), status: 'draft' }),
      ];
      const summit = await coupon(service, 'SUMMIT', { userId: idOf('summit'), createdAt: day(1) });
      await coupon(service, 'ORSTED', { userId: idOf('orsted'), createdAt: day(1) });
      await coupon(service, 'DRAFT', { userId: idOf('draft'), createdAt: day(1), status: 'draft' });
      await orders(service, [
        { id: 1, coupon: first, at: '2026-10-05T12:00:00Z', total: 50 },
        { id: 2, coupon: second, at: '2026-10-05T12:00:00Z', total: 40 },
        { id: 3, coupon: second, at: '2026-10-05T12:00:00Z', total: 30, status: 'processing' },
        { id: 4, coupon: summit, at: '2026-10-05T12:00:00Z', total: 60 },
      ]);
    });

    const logins = async (query = ''): Promise<string[]> =>
      (await admin.get(`/affiliates${query}`)).body.map(({ user }: { user: { login: string } }) => user.login);

    it('lists every user with a published coupon, with all their coupons and the sum of their balances', async () => {
      const { body, headers } = await admin.get('/affiliates');
      expect(body.map(({ id }: { id: number }) => id)).to.deep.equal([idOf('trail'), idOf('summit'), idOf('orsted')]);
      expect(body[0]).to.deep.include({
        user: { id: idOf('trail'), display_name: 'Trail Notes', login: 'trail', email: 'trail@mail.example' },
        date_registered: '2026-03-04T08:15:00',
        unpaid_commission: 9,
        pending_order_commission: 3,
        pending_payout_commission: 0,
        paid_commission: 0,
      });
      expect(
        body[0].coupons.map(({ code, status, unpaid_commission }: Record<string, unknown>) => [code, status, unpaid_commission]),
      ).to.deep.equal([
        ['TRAIL20', 'draft', 4],
        ['TRAIL10', 'publish', 5],
      ]);
      expect([headers.get('X-Svc-Total'), headers.get('X-Svc-TotalPages')]).to.deep.equal(['3', '1']);
    });

    it('searches login, email and display name literally, ignoring case, beyond ASCII too', async () => {
      const searched = (text: string) => logins(`?search=${encodeURIComponent(text)}`);
      expect(await searched('TRAIL')).to.deep.equal(['trail']);
      expect(await searched('Summit@MAIL')).to.deep.equal(['summit']);
      expect(await searched('øRSTED')).to.deep.equal(['orsted']);
      expect(await searched('WEEK')).to.deep.equal(['summit']);
      expect(await searched('mail.example')).to.deep.equal(['trail', 'summit', 'orsted']);
      expect(await searched('0%')).to.deep.equal(['orsted']);
      expect(await searched('draft')).to.deep.equal([]);
      for (const nothing of ['_', 't%l', '!', '\\', 'TRAIL10']) expect(await searched(nothing), nothing).to.deep.equal([]);
    });

    it('sorts by id, name, unpaid commission and registration, in both directions', async () => {
      expect(await logins('?order=desc')).to.deep.equal(['orsted', 'summit', 'trail']);
      expect(await logins('?orderby=display_name')).to.deep.equal(['summit', 'trail', 'orsted']);
      expect(await logins('?orderby=unpaid_commission&order=desc')).to.deep.equal(['trail', 'summit', 'orsted']);
      expect(await logins('?orderby=unpaid_commission')).to.deep.equal(['orsted', 'summit', 'trail']);
      expect(await logins('?orderby=date_registered')).to.deep.equal(['summit', 'orsted', 'trail']);
    });

    it('returns pages with totals, and an empty page past the end', async () => {
      expect(await logins('?per_page=2&page=2')).to.deep.equal(['orsted']);
      const { body, headers } = await admin.get('/affiliates?per_page=2&page=3');
      expect([body, headers.get('X-Svc-Total'), headers.get('X-Svc-TotalPages')]).to.deep.equal([[], '3', '2']);
      expect((await admin.get('/affiliates?search=unknown')).headers.get('X-Svc-Total')).to.equal('0');
    });

    it('refuses invalid parameters', async () => {
      for (const query of ['orderby=login', 'order=up', 'per_page=101', 'page=x'])
        expect((await admin.get(`/affiliates?${query}`)).body.code, query).to.equal('rest_invalid_param');
    });

    it('sorts an affiliate without a coupon as one with 0 unpaid commission', async () => {
      await service.withSetting('addons.management', true, async () => {
        const debtor = await service.user('debtor', 'affiliate');
        const id = await coupon(service, 'DEBT', { userId: debtor.id, createdAt: day(1) });
        expect((await admin.post('/adjustments', { json: { coupon_id: id, amount: -9, note: 'A correction.' } })).status).to.equal(201);
        await service.user('idle', 'affiliate');
        const sorted = await logins('?coupons=any&orderby=unpaid_commission');
        expect(sorted[0]).to.equal('debtor');
        expect(sorted.slice(-2), 'above all without any').to.deep.equal(['summit', 'trail']);
        expect(sorted).to.include('idle');
      });
    });
  });
});
