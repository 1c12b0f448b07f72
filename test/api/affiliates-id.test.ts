import { expect } from 'chai';
import { assignCoupon } from '../../domain/coupons/create.ts';
import { recordUser } from '../../domain/users/record.ts';
import type { User } from '../../domain/users/user.ts';
import { buildProgram } from '../../site/program.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon, orders, parent, payoutDetails } from '../support/program.ts';
import { suiteService } from '../support/service.ts';

const day = (number: number): number => Date.parse('2026-03-01T08:15:00Z') + number * 86_400_000;

onAnyEngine((engine) => {
  describe('GET /affiliates/{id}', () => {
    const { service, admin } = suiteService(engine);
    let coupons: number[];
    const people: Record<string, User> = {};
    const idOf = (login: string): number => people[login]?.id ?? 0;
    before(async () => {
      for (const login of ['nora', 'above', 'top', 'draft', 'customer']) people[login] = await service.user(login, 'customer');
      const [nora, above, top] = [people['nora'], people['above'], people['top']] as [User, User, User];
      const told = {
        login: 'nora',
        email: 'nora@shop.example',
        displayName: 'The nora',
        groups: ['bloggers', 'north'],
        profile: { website: 'https://nora.example', promote: 'Reviews' },
        customFields: { newsletter_readers: 4200 },
      };
      const context = {
        now: service.clock.now(),
        program: buildProgram(await service.settings.current()),
        userId: 0,
        origin: 'api',
      } as const;
      await service.storage.write((transaction) => recordUser(transaction, told, context));
      await parent(service, nora.id, above.id);
      await parent(service, above.id, top.id);
      coupons = [
        await coupon(service, 'NORA1', { userId: nora.id, createdAt: day(1) }),
        await coupon(service, 'NORA2', { userId: nora.id, createdAt: day(2), status: 'private' }),
      ];
      await coupon(service, 'DRAFT', { userId: idOf('draft'), status: 'draft' });
      await orders(service, [{ id: 50, coupon: coupons[0] ?? 0, at: '2026-10-05T12:00:00Z', total: 99, discount: 9, shipping: 3 }]);
    });

    const read = async (login: string) => (await admin.get(`/affiliates/${idOf(login)}`)).body;

    it('returns profile, groups, custom fields, the figures of each coupon, and the upline', async () => {
      const none = { orders_count: 0, total_sales: 0, total_discount: 0, total_shipping: 0, total_commission: 0, last_refreshed: null };
      const balances = { unpaid_commission: 0, pending_order_commission: 0, pending_payout_commission: 0, paid_commission: 0 };
      const [first, second] = coupons;
      expect(await read('nora')).to.deep.equal({
        id: idOf('nora'),
        user: { id: idOf('nora'), display_name: 'The nora', login: 'nora', email: 'nora@shop.example' },
        date_registered: '2026-11-02T07:00:00',
        coupons: [
          {
            id: second,
            code: 'NORA2',
            user_id: idOf('nora'),
            status: 'private',
            date_created: '2026-03-03T08:15:00',
            ...balances,
            stats: none,
          },
          {
            id: first,
            code: 'NORA1',
            user_id: idOf('nora'),
            status: 'publish',
            date_created: '2026-03-02T08:15:00',
            ...balances,
            unpaid_commission: 9,
            stats: { ...none, orders_count: 1, total_sales: 99, total_discount: 9, total_shipping: 3, total_commission: 9 },
          },
        ],
        ...balances,
        unpaid_commission: 9,
        profile: { phone: '', website: 'https://nora.example', promote: 'Reviews', referrer: '' },
        groups: ['bloggers', 'north'],
        custom_fields: { newsletter_readers: 4200 },
        payout_method: null,
        mla_parents: { T1: { id: idOf('above'), display_name: 'The above' }, T2: { id: idOf('top'), display_name: 'The top' } },
      });
    });

    it('names the payout method by the label that was saved with it, and never shows the destination', async () => {
      const given = { userId: idOf('nora'), method: 'my paypal', methodType: 'paypal', details: { email: 'canary@pay.example' } } as const;
      await payoutDetails(service, given);
      await service.settings.set('payouts.methods.paypal.label', 'PayPal (weekly)');
      const body = await read('nora');
      expect(body.payout_method).to.deep.equal({ method: 'my paypal', method_type: 'paypal', has_details: true });
      expect(JSON.stringify(body)).not.to.include('canary');
      await payoutDetails(service, { ...given, methodType: 'credit', details: {} });
      expect((await read('nora')).payout_method).to.deep.equal({ method: 'my paypal', method_type: 'credit', has_details: false });
    });

    it('has no parents in the free edition, and an empty list of them while the add-on is not active', async () => {
      await service.withSetting('addons.multi_level', false, async () => {
        expect((await read('nora')).mla_parents).to.deep.equal({});
        await service.withSetting('edition', 'free', async () => expect(await read('nora')).not.to.have.property('mla_parents'));
      });
    });

    it('finds a user whose last coupon was unassigned, for admins and for the user, with statistics', async () => {
      const lena = await service.user('lena', 'customer');
      const id = await coupon(service, 'LENA', { userId: lena.id });
      const context = { now: service.clock.now(), userId: 0, program: { currency: 'USD' } };
      const assign = (userId: number | null) => service.storage.write((transaction) => assignCoupon(transaction, id, userId, context));
      await assign(null);
      const own = await service.clientOf(lena);
      for (const client of [admin, own]) {
        const { status, body } = await client.get(`/affiliates/${lena.id}`);
        expect([status, body.coupons, body.unpaid_commission]).to.deep.equal([200, [], 0]);
        for (const query of ['', '?from=2026-01-01&interval=month']) {
          const { body: stats } = await client.get(`/affiliates/${lena.id}/stats${query}`);
          expect([stats.totals.orders_count, stats.coupons], query).to.deep.equal([0, []]);
        }
      }
      const { body: me } = await own.get('/me');
      expect([me.is_affiliate, me.access_level, me.coupons]).to.deep.equal([true, 'affiliate', []]);
      await assign(lena.id);
      const { body: events } = await admin.get(`/events?event=affiliate_created&per_page=100`);
      expect(
        events.filter(({ event_id }: { event_id: number }) => event_id === lena.id),
        'became an affiliate once',
      ).to.have.length(1);
    });

    it('finds a user with the role affiliate and no coupon, for admins and for the user, with statistics', async () => {
      const rosa = await service.user('rosa', 'affiliate');
      const own = await service.client(await service.appPassword(rosa));
      for (const client of [admin, own]) {
        const { status, body } = await client.get(`/affiliates/${rosa.id}`);
        expect([status, body.coupons]).to.deep.equal([200, []]);
        expect((await client.get(`/affiliates/${rosa.id}/stats`)).body.totals.orders_count).to.equal(0);
      }
      const { body: me } = await own.get('/me');
      expect([me.is_affiliate, me.access_level]).to.deep.equal([true, 'affiliate']);
      expect(me.operations).to.include.members(['get_affiliates_id', 'get_affiliates_id_stats']);
      const other = await service.client(await service.appPassword(people['customer'] as User));
      expect((await other.get(`/affiliates/${rosa.id}`)).body.code).to.equal('svc_api_not_found');
    });

    it('finds every user with a coupon, published or not, and no customer without one', async () => {
      const draft = await read('draft');
      expect(draft.coupons).to.have.length(1);
      expect([draft.profile.phone, draft.groups, draft.custom_fields]).to.deep.equal(['', [], {}]);
      expect((await read('customer')).code).to.equal('svc_api_not_found');
      const client = await service.clientOf(people['customer'] as User);
      expect((await client.get(`/affiliates/${idOf('customer')}`)).body.code).to.equal('svc_api_not_found');
    });
  });
});
