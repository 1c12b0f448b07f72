import { expect } from 'chai';
import { methodTypes, type PayoutDetails } from '../../domain/payout-details/payout-details.ts';
import { paymentDate } from '../../domain/payouts/apply-transition.ts';
import { gatewayMilliseconds, mayBeInProgress, resolutions } from '../../domain/payouts/change.ts';
import { listObstacles, type PayoutFacts, type PayoutRules } from '../../domain/payouts/eligibility.ts';
import { findTransition, openStatuses } from '../../domain/payouts/payout.ts';

const methods = (enabled: boolean, invoiceRequired: boolean): PayoutRules['methods'] =>
  Object.fromEntries(methodTypes.map((type) => [type, { enabled, invoiceRequired }])) as PayoutRules['methods'];

const rules: PayoutRules = {
  enabled: true,
  requestsEnabled: true,
  threshold: 2500,
  detailsRequired: true,
  methods: methods(true, false),
};
const details: PayoutDetails = {
  userId: 7,
  method: 'PayPal',
  methodType: 'paypal',
  encryptedDetails: 'v1:…',
  firstSavedAt: 0,
  updatedAt: 0,
};
const plain: PayoutFacts = { rules, byAdmin: false, userId: 7, unpaid: 2500, details, hasInvoice: false };

const obstacles = (other: Partial<PayoutFacts>, otherRules: Partial<PayoutRules> = {}): string[] =>
  listObstacles({ ...plain, ...other, rules: { ...rules, ...otherRules } });

describe('the reasons against a payout', () => {
  it('do not include the threshold for a debt, nor the rules of a method that is not used', () => {
    expect(obstacles({ unpaid: -1 })).to.deep.equal(['svc_api_no_balance']);
    const off = { methods: { ...rules.methods, paypal: { enabled: false, invoiceRequired: true } }, detailsRequired: false };
    expect(obstacles({ details: { ...details, methodType: 'wisebank' } }, off)).to.deep.equal([]);
    expect(obstacles({ details: null }, off)).to.deep.equal([]);
  });

  it('are complete, in the order of the specification', () => {
    const all = { enabled: false, requestsEnabled: false, methods: methods(false, true) };
    expect(obstacles({ unpaid: 1, details: { ...details, encryptedDetails: null } }, all)).to.deep.equal([
      'svc_api_payouts_disabled',
      'svc_api_requests_disabled',
      'svc_api_below_threshold',
      'svc_api_no_payout_details',
      'svc_api_method_disabled',
      'svc_api_invoice_required',
    ]);
  });
});

describe('a transition of a payout', () => {
  it('exists for exactly these pairs of statuses and actors, and moves the amount between the pools of both', () => {
    const statuses = ['pending', 'created', 'processing', 'paid', 'cancel', 'failed'] as const;
    const allowed: Record<'request' | 'gateway' | 'admin', string> = {
      request: 'none>pending none>processing',
      gateway: 'processing>pending processing>created processing>paid processing>failed created>failed paid>failed',
      admin:
        'pending>created pending>paid pending>cancel created>pending created>paid created>cancel paid>pending paid>created paid>cancel cancel>pending cancel>created',
    };
    const pools = {
      none: 'unpaid',
      pending: 'pending_payout',
      created: 'pending_payout',
      processing: 'pending_payout',
      paid: 'paid',
      cancel: 'unpaid',
      failed: 'unpaid',
    };
    for (const by of ['request', 'gateway', 'admin'] as const) {
      const found = [null, ...statuses].flatMap((from) => statuses.flatMap((to) => findTransition(from, to, by) ?? []));
      expect(found.map(({ from, to }) => `${from ?? 'none'}>${to}`).toSorted(), by).to.deep.equal(allowed[by].split(' ').toSorted());
      for (const { from, to, moves } of found) {
        const [source, target] = [pools[from ?? 'none'], pools[to]];
        expect(moves, `${from} > ${to}`).to.deep.equal(source === target ? null : { from: source, to: target });
      }
    }
  });

  it('that occupies the one free slot of a coupon leads to an open request', () => {
    expect([...openStatuses].sort()).to.deep.equal(['created', 'pending', 'processing']);
  });

  it('into paid sets the time and the day of the store, and every other removes them', () => {
    const context = { now: Date.parse('2026-10-25T23:30:00Z'), program: { zone: 'Europe/Berlin' } } as never;
    const [paid, reversed] = [findTransition('pending', 'paid', 'admin'), findTransition('paid', 'pending', 'admin')];
    expect(paymentDate(paid ?? expect.fail(), context)).to.deep.equal({ paidAt: 1_792_971_000_000, paidDay: '2026-10-26' });
    expect(paymentDate(reversed ?? expect.fail(), context)).to.deep.equal({ paidAt: null, paidDay: null });
  });

  it('that resolves an interrupted gateway call is one that the gateway could have made, each of them', () => {
    expect(resolutions).to.have.length(4);
    for (const to of resolutions) expect(findTransition('processing', to, 'gateway'), to).not.to.equal(undefined);
  });

  it('of a gateway is in progress for ten minutes, and not a millisecond longer', () => {
    expect(gatewayMilliseconds).to.equal(600_000);
    expect([599_999, 600_000].map((passed) => mayBeInProgress({ requestedAt: 1000 }, 1000 + passed))).to.deep.equal([true, false]);
  });
});
