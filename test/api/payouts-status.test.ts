import { expect } from 'chai';
import { transitions } from '../../generated/transitions.ts';
import { mailsOf } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { failPayout, openPayoutStore } from '../support/payouts.ts';
import { orders } from '../support/program.ts';

const statuses = ['pending', 'created', 'paid', 'cancel'] as const;
type Status = (typeof statuses)[number];

/** Written from the specification, not read from the contract: what each change does to the pools, and what it tells. */
const table: Record<Status, Partial<Record<Status, { kind: string; type: string }>>> = {
  pending: {
    created: { kind: 'payout_created', type: 'payout.created' },
    paid: { kind: 'payout_paid', type: 'payout.paid' },
    cancel: { kind: 'payout_cancelled', type: 'payout.cancelled' },
  },
  created: {
    pending: { kind: 'payout_pending', type: 'payout.pending' },
    paid: { kind: 'payout_paid', type: 'payout.paid' },
    cancel: { kind: 'payout_cancelled', type: 'payout.cancelled' },
  },
  paid: {
    pending: { kind: 'payout_reversed', type: 'payout.reversed' },
    created: { kind: 'payout_reversed', type: 'payout.reversed' },
    cancel: { kind: 'payout_cancelled', type: 'payout.cancelled' },
  },
  cancel: {
    pending: { kind: 'payout_reopened', type: 'payout.reopened' },
    created: { kind: 'payout_reopened', type: 'payout.reopened' },
  },
};

const poolsIn: Record<Status, { unpaid: number; pending: number; paid: number }> = {
  pending: { unpaid: 0, pending: 100, paid: 0 },
  created: { unpaid: 0, pending: 100, paid: 0 },
  paid: { unpaid: 0, pending: 0, paid: 100 },
  cancel: { unpaid: 100, pending: 0, paid: 0 },
};

onAnyEngine((engine) => {
  describe('POST /payouts/{id}/status', () => {
    const store = testFixture(() => openPayoutStore(engine));
    let id: number;
    beforeEach(async () => {
      ({ id } = (await store.request()).body);
    });

    const change = (status: string, payoutId = id) => store.change(payoutId, status);
    const standing = async (status: Status): Promise<void> => {
      if (status !== 'pending') expect((await change(status)).status).to.equal(200);
    };
    const everything = async () => ({
      pools: await store.pools(),
      kinds: await store.kinds(),
      payout: (await store.admin.get(`/payouts/${id}`)).body,
      mails: (await mailsOf(store.service)).length,
      ledger: await (await engine.observe(store.service.databaseUrl)).query('select count(*) as rows from ledger'),
    });

    for (const from of statuses)
      for (const to of statuses) {
        const step = table[from][to];
        if (step)
          it(`${from} → ${to} moves the amount, records ${step.type} once, and mails the affiliate`, async () => {
            await standing(from);
            const before = await everything();
            const { status, body } = await change(to);
            expect([status, body.status, body.date_paid]).to.deep.equal([200, to, to === 'paid' ? '2026-11-02T07:00:00' : null]);
            const after = await everything();
            expect(after.pools).to.deep.equal(poolsIn[to]);
            expect(after.payout).to.deep.equal(body);
            expect(after.kinds).to.deep.equal([...before.kinds, step.kind]);
            expect(after.mails).to.equal(before.mails + 1);
            const { body: feed } = await store.admin.get(`/events?event=${step.kind}`);
            expect([feed[0].type, feed[0].event_id, feed[0].object_type, feed[0].data.status]).to.deep.equal([step.type, id, 'payout', to]);
          });
        else {
          const code = from === to ? 'svc_api_no_change' : 'svc_api_invalid_transition';
          it(`${from} → ${to} is answered 400 ${code}, and nothing changes`, async () => {
            await standing(from);
            const before = await everything();
            const { status, body } = await change(to);
            expect([status, body.code]).to.deep.equal([400, code]);
            expect(await everything()).to.deep.equal(before);
          });
        }
      }

    it("follows exactly the rows of the contract's table for admins", () => {
      const told = statuses.flatMap((from) => Object.entries(table[from]).map(([to, { type }]) => `${from} ${to} ${type}`));
      const rows = transitions.PayoutStatus.rows.filter(({ by }) => by === 'admin').map(({ from, to, event }) => `${from} ${to} ${event}`);
      expect(rows.toSorted()).to.deep.equal(told.toSorted());
    });

    const spending: Record<string, () => Promise<unknown>> = {
      'the unpaid balance is less than the amount': async () => {
        // A refund takes a cent of what lies unpaid again.
        const observer = await engine.observe(store.service.databaseUrl);
        const [row] = await observer.query<{ order_id: unknown }>('select order_id from orders');
        const sale = { id: Number(row?.order_id), coupon: store.couponId, at: new Date(store.service.clock.now()).toISOString() };
        await orders(store.service, [{ ...sale, total: 1000, refunded: 0.1 }]);
        expect((await store.pools()).unpaid).to.equal(99.99);
      },
      'the amount has been requested again': () => store.request(),
    };
    for (const [what, spend] of Object.entries(spending))
      for (const to of ['pending', 'created'])
        it(`cancel → ${to} is answered 409 svc_api_insufficient_unpaid when ${what}`, async () => {
          await change('cancel');
          await spend();
          const before = await everything();
          const { status, body } = await change(to);
          expect([status, body.code]).to.deep.equal([409, 'svc_api_insufficient_unpaid']);
          expect(await everything()).to.deep.equal(before);
        });

    for (const [from, to] of [
      ['cancel', 'pending'],
      ['cancel', 'created'],
      ['paid', 'pending'],
      ['paid', 'created'],
    ] as const)
      it(`${from} → ${to} is answered 409 svc_api_conflict while another request of the coupon is open`, async () => {
        await standing(from);
        await store.earn(100);
        const { body: open } = await store.request();
        await store.earn(500);
        const before = await everything();
        const { status, body } = await change(to);
        expect([status, body.code]).to.deep.equal([409, 'svc_api_conflict']);
        expect(body.message).to.include(`Payout ${open.id} `);
        expect(await everything()).to.deep.equal(before);
      });

    it('cancels and re-opens with everything as before, also when more is unpaid than its amount', async () => {
      const before = (await store.admin.get(`/payouts/${id}`)).body;
      await change('cancel');
      await change('pending');
      expect((await store.admin.get(`/payouts/${id}`)).body).to.deep.equal(before);
      expect(await store.pools()).to.deep.equal(poolsIn.pending);
      await change('cancel');
      await store.earn(1);
      await change('pending');
      expect(await store.pools()).to.deep.equal({ ...poolsIn.pending, unpaid: 1 });
    });

    /** As a call to a gateway leaves it that was interrupted. */
    const interrupt = async (from = 'pending'): Promise<void> => {
      const observer = await engine.observe(store.service.databaseUrl);
      await observer.query(`update payouts set status = 'processing' where id = ${id}`);
      await observer.query(`update payout_days set status = 'created' where status = '${from}'`);
    };
    const fail = () => failPayout(store.service, id);

    for (const from of ['created', 'processing', 'paid'] as const)
      it(`${from} → failed returns the amount to unpaid, records payout.failed once, and mails the affiliate what to do`, async () => {
        await (from === 'processing' ? interrupt() : standing(from));
        const before = await everything();
        expect((await fail()).status).to.equal('failed');
        const after = await everything();
        expect([after.pools, after.payout.status, after.payout.date_paid]).to.deep.equal([poolsIn.cancel, 'cancel', null]);
        expect(after.kinds).to.deep.equal([...before.kinds, 'payout_failed']);
        const { body: feed } = await store.admin.get('/events?event=payout_failed');
        expect([feed[0].type, feed[0].event_id, feed[0].user_id, feed[0].data.status]).to.deep.equal(['payout.failed', id, 0, 'cancel']);
        const mail = (await mailsOf(store.service)).at(-1);
        expect([after.mails, mail?.headers.get('subject')]).to.deep.equal([
          before.mails + 1,
          'My store: your payout of 100.00 USD could not be paid',
        ]);
        expect(mail?.parts[0]?.text.replaceAll(/\s+/g, ' ')).to.include('unpaid balance. Check that your payout details are correct');

        const refused = await fail().catch((error: unknown) => error);
        expect(refused).to.include({ code: 'svc_api_invalid_transition' });
        expect(await everything()).to.deep.equal(after);
        const { status, body } = await store.request();
        expect([status, body.amount, body.status]).to.deep.equal([201, 100, 'pending']);
        expect((await change('paid', body.id)).status).to.equal(200);
        expect(await store.pools()).to.deep.equal(poolsIn.paid);
      });

    it('a payout that is pending or cancelled cannot fail, and nothing changes', async () => {
      for (const from of ['pending', 'cancel'] as const) {
        await standing(from);
        const before = await everything();
        const refused = await fail().catch((error: unknown) => error);
        expect(refused).to.include({ code: 'svc_api_invalid_transition' });
        expect((refused as Error).message).to.equal(`Payout ${id} is ${from}. Only a payout that is created, processing or paid can fail.`);
        expect(await everything()).to.deep.equal(before);
      }
    });

    for (const internal of ['processing', 'failed'] as const) {
      const reads = internal === 'processing' ? 'created' : 'cancel';
      const wait = async (): Promise<void> => {
        if (internal === 'processing') return interrupt();
        await change('created');
        await fail();
      };

      it(`refuses ${internal} as a target`, async () => {
        const { status, body } = await change(internal);
        expect([status, body.code]).to.deep.equal([400, 'rest_invalid_param']);
      });

      it(`shows ${internal} as ${reads}, finds it by that filter, and answers every change of it with 400 svc_api_invalid_transition`, async () => {
        await wait();
        expect((await store.affiliate.get(`/payouts/${id}`)).body.status).to.equal(reads);
        const { body: found, headers } = await store.admin.get(`/payouts?status=${reads}`);
        expect([found.length, headers.get('X-Svc-Total')]).to.deep.equal([1, '1']);
        for (const to of statuses) {
          const { status, body } = await change(to);
          expect([status, body.code]).to.deep.equal([400, 'svc_api_invalid_transition']);
          if (internal === 'processing') expect(body.message).to.include('being processed').and.include(`affiliate payout resolve ${id}`);
        }
      });
    }

    describe('with the status that the caller saw in `from`', () => {
      const changeFrom = (from: string, status: string) => store.admin.post(`/payouts/${id}/status`, { json: { status, from } });
      beforeEach(() => store.set('addons.management', true));

      it('changes the payout while it has that status, an internal one as it reads', async () => {
        expect((await changeFrom('pending', 'created')).body.status).to.equal('created');
        await interrupt('created');
        const { status, body } = await changeFrom('created', 'paid');
        expect([status, body.code]).to.deep.equal([400, 'svc_api_invalid_transition']);
      });

      it('answers 409 svc_api_conflict with the present status when it is another, and nothing changes', async () => {
        await change('paid');
        const before = await everything();
        const { status, body } = await changeFrom('pending', 'cancel');
        expect([status, body.code]).to.deep.equal([409, 'svc_api_conflict']);
        expect(body.message).to.include(`Payout ${id} is paid by now`);
        expect(await everything()).to.deep.equal(before);
      });

      it('answers 400 svc_api_no_change when the target is the present status, whatever was seen', async () => {
        await change('paid');
        const { status, body } = await changeFrom('pending', 'paid');
        expect([status, body.code]).to.deep.equal([400, 'svc_api_no_change']);
      });

      it('names the status that another request gave it between the check and the change', async () => {
        const changes = await Promise.all([
          changeFrom('pending', 'paid'),
          changeFrom('pending', 'created'),
          changeFrom('pending', 'cancel'),
        ]);
        const done = changes.filter(({ status }) => status === 200);
        expect(done).to.have.length(1);
        for (const { status, body } of changes.filter((answer) => answer !== done[0])) {
          expect([status, body.code]).to.deep.equal([409, 'svc_api_conflict']);
          expect(body.message).to.include(`Payout ${id} is ${done[0]?.body.status} by now`);
        }
      });

      it('refuses a status that does not exist, and ignores the field like an unknown one without the add-on management', async () => {
        expect((await changeFrom('seen', 'paid')).body.data.params).to.have.keys('from');
        await store.set('addons.management', false);
        expect((await changeFrom('cancel', 'created')).status).to.equal(200);
        expect((await changeFrom('seen', 'paid')).status).to.equal(200);
      });
    });

    it('answers 404 for a payout that does not exist', async () => {
      const { status, body } = await change('paid', 987654);
      expect([status, body.code]).to.deep.equal([404, 'svc_api_not_found']);
    });
  });
});
