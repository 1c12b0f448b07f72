import { expect } from 'chai';
import { guardGateways } from '../../site/extension/gateways.ts';
import type { Payment, ProgramEvent, SiteExtension } from '../../site/extension.ts';
import { boom, event, laterBoom, payment, watchedSites } from './extension-samples.ts';

describe('a payment gateway of the site', () => {
  const { failures, members, site } = watchedSites();

  const outcome = (gateway: unknown): Promise<unknown> | undefined => site({ gateways: { acme: gateway } }).gateways.get('acme')?.(payment);

  it('is called with the payment, and its response is completed with defaults', async () => {
    const gateway = (given: Payment): unknown => ({ status: 'paid', transactionId: given.idempotencyKey });
    expect(await outcome(gateway)).to.deep.equal({ status: 'paid', transactionId: 'payout-501', notice: null });
    expect(await outcome(async () => ({ status: 'failed', notice: 'Account closed.' }))).to.deep.equal({
      status: 'failed',
      transactionId: '',
      notice: 'Account closed.',
    });
  });

  it('that fails leaves the payout pending, and discloses nothing, not in the log either', async () => {
    const leaky = (): never => {
      throw new Error(`cannot pay ${String(payment.details.address)}`);
    };
    for (const gateway of [leaky, laterBoom]) {
      const result = await outcome(gateway);
      expect(result).to.have.property('status', 'failed');
      expect(JSON.stringify(result)).to.not.include('paypal.example');
    }
    expect(new Set(members())).to.deep.equal(new Set(['gateways.acme']));
    expect(failures).to.have.lengthOf(2);
    for (const { cause } of failures) expect(`${(cause as Error).message} ${(cause as Error).stack}`).to.not.include('paypal.example');
  });

  it('that returns a valid status has that status applied, whatever the other fields are, and a destination in its notice is redacted', async () => {
    expect(await outcome(() => ({ status: 'paid', transactionId: 7, notice: null }))).to.deep.equal({
      status: 'paid',
      transactionId: '7',
      notice: null,
    });
    expect(await outcome(() => ({ status: 'paid', transactionId: null, notice: '' }))).to.deep.equal({
      status: 'paid',
      transactionId: '',
      notice: null,
    });
    const told = (await outcome(() => ({ status: 'created', notice: `Sent to ${String(payment.details.address)}.` }))) as {
      notice: string;
    };
    expect(told.notice).to.equal('Sent to [redacted].');
  });

  it('that never answers ends with status unknown after the timeout, because it may have paid', async () => {
    const hanging = guardGateways({ acme: () => new Promise(() => {}) }, () => {}, 20).get('acme');
    expect(await hanging?.(payment)).to.have.property('status', 'unknown');
  });
});

describe('a site with webhook events of its own', () => {
  const { failures, site } = watchedSites();

  const withEvent = (raisedBy: unknown): SiteExtension =>
    site({ webhookEvents: { 'payout.large': { description: 'A large one.', raisedBy } } });

  it('has them in the catalog, and raises them by events of the program', () => {
    const large = withEvent(({ data }: ProgramEvent) => (Number(data?.amount) > 30 ? { amount: data?.amount } : null));
    expect([...large.webhookEvents]).to.deep.equal([['payout.large', { description: 'A large one.' }]]);
    expect(large.raisedBy(event)).to.deep.equal([{ event: 'payout.large', data: { amount: 32.38 } }]);
    expect(large.raisedBy({ ...event, data: { amount: 1 } })).to.deep.equal([]);
    expect(failures).to.deep.equal([]);
  });

  it('raises none when raisedBy fails or returns no data, and cannot change the event itself', () => {
    for (const raisedBy of [boom, () => 'yes', () => [], () => ({ amount: 10n }), async () => ({})])
      expect(withEvent(raisedBy).raisedBy(event)).to.deep.equal([]);
    expect(failures).to.have.lengthOf(5);
    const meddling = (given: { data: Record<string, unknown> }): void => void (given.data.amount = 0);
    expect(withEvent(meddling).raisedBy(event)).to.deep.equal([]);
    expect(event.data).to.deep.equal({ amount: 32.38 });
  });
});

// What is declared, and in which order: test/api/site-present.test.ts.
describe('the record extensions of a site', () => {
  const { failures, site } = watchedSites();

  const declared = new Map([['Coupon', new Set(['shelf', 'colour'])]]);
  const record = { id: 301, code: 'TRAIL10' };
  const presented = (present: Record<string, unknown>): unknown => site({ present }).present('Coupon', record, declared);

  it('leave the record unchanged when they fail, change it or return no fields', () => {
    const meddling = (given: Record<string, unknown>): Record<string, unknown> => {
      delete given.code;
      return {};
    };
    for (const present of [boom, () => 5, () => undefined, () => ({ shelf: 10n }), async () => ({ shelf: 'x' }), meddling])
      expect(presented({ Coupon: present })).to.deep.equal({ id: 301, code: 'TRAIL10' });
    expect(failures).to.have.lengthOf(5);
  });
});
