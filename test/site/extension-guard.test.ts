import { expect } from 'chai';
import {
  type ExtensionFailure,
  type GuardedSite,
  guarded,
  type Payment,
  type PayoutAsked,
  type ProgramEvent,
  type RegistrationDecided,
  type SiteModule,
} from '../../site/extension.ts';
import { documentOf } from './sites.ts';

const payout: PayoutAsked = {
  couponId: 301,
  couponCode: 'TRAIL10',
  userId: 42,
  amountMinor: 3238,
  currency: 'EUR',
  methodType: 'paypal',
  requestedBy: 42,
};
const registration: RegistrationDecided = {
  registrationId: 9,
  decision: 'accepted',
  applicant: { email: 'a@b.example', displayName: 'A' },
  couponCode: 'A10',
  decidedBy: 1,
};
const payment: Payment = {
  payoutId: 501,
  idempotencyKey: 'payout-501',
  amountMinor: 3238,
  currency: 'EUR',
  methodType: 'paypal',
  details: { address: 'secret@paypal.example' },
  payee: { userId: 42, displayName: 'Trail Notes', email: 'hello@trailnotes.example' },
};
const event: ProgramEvent = {
  kind: 'payout_paid',
  type: 'payout.paid',
  objectType: 'payout',
  objectId: 501,
  userId: 1,
  info: 'Payout 501 was marked as paid.',
  data: { amount: 32.38 },
  at: 0,
};
const anonymous = { kind: 'anonymous' } as const;

const boom = (): never => {
  throw new Error('boom');
};
const laterBoom = async (): Promise<never> => boom();

let failures: ExtensionFailure[] = [];
const members = (): string[] => failures.map(({ member }) => member);

/** What a site without types could hand us. */
const site = (module: Record<string, unknown>): GuardedSite => guarded(module as SiteModule, (failure) => void failures.push(failure));

beforeEach(() => {
  failures = [];
});

describe('a site without a module', () => {
  it('does what the service does', async () => {
    const bare = site({});
    const document = documentOf();
    expect(bare.amendOpenapi(document)).to.equal(document);
    expect(await bare.beforePayout(payout)).to.equal(null);
    expect(await bare.beforeRegistration(registration)).to.equal(null);
    expect(bare.rateCeiling(anonymous, 30)).to.equal(30);
    expect(bare.gateways.size + bare.webhookEvents.size).to.equal(0);
    expect(bare.raisedBy(event)).to.deep.equal([]);
    const record = { id: 301 };
    expect(bare.present('Coupon', record, new Map())).to.equal(record);
    await bare.onEvent(event);
    expect(failures).to.deep.equal([]);
  });
});

describe('a site that is asked about a payout or an application', () => {
  const asked = async (answer: unknown): Promise<unknown[]> => {
    const module = site({ beforePayout: () => answer, beforeRegistration: () => answer });
    return [await module.beforePayout(payout), await module.beforeRegistration(registration)];
  };

  it('lets it pass by saying nothing, now or later', async () => {
    for (const answer of [undefined, null, Promise.resolve()]) expect(await asked(answer)).to.deep.equal([null, null]);
    expect(failures).to.deep.equal([]);
  });

  it('refuses with a sentence for the client', async () => {
    const refusal = { reason: 'Only on Fridays.' };
    expect(await asked({ refuse: 'Only on Fridays.' })).to.deep.equal([refusal, refusal]);
    expect(failures).to.deep.equal([]);
  });

  for (const throwing of [boom, laterBoom])
    it(`refuses when it fails (${throwing.name}), and what was thrown stays in the log`, async () => {
      const module = site({ beforePayout: throwing, beforeRegistration: throwing });
      expect(await module.beforePayout(payout)).to.deep.equal({ reason: null });
      expect(await module.beforeRegistration(registration)).to.deep.equal({ reason: null });
      expect(members()).to.deep.equal(['beforePayout', 'beforeRegistration']);
      expect((failures[0]?.cause as Error).message).to.equal('boom');
    });

  it('refuses when its answer makes no sense: "no" can be put right, money that left cannot', async () => {
    for (const answer of [true, false, 'no', {}, { refuse: true }])
      expect(await asked(answer)).to.deep.equal([{ reason: null }, { reason: null }]);
    expect(failures).to.have.lengthOf(10);
  });
});

describe('a site that sets rate ceilings', () => {
  it('is believed, 0 included', () => {
    for (const ceiling of [0, 1, 500]) expect(site({ rateCeiling: () => ceiling }).rateCeiling(anonymous, 30)).to.equal(ceiling);
    expect(site({ rateCeiling: (_: unknown, byDefault: number) => byDefault * 2.55 }).rateCeiling(anonymous, 30)).to.equal(76);
  });

  it('is not believed, and the default holds, when it fails or gives what is no number of requests', () => {
    const answers: unknown[] = [-1, Number.NaN, Number.POSITIVE_INFINITY, '100', null, undefined, Promise.resolve(5)];
    for (const answer of answers) expect(site({ rateCeiling: () => answer }).rateCeiling(anonymous, 30)).to.equal(30);
    expect(site({ rateCeiling: boom }).rateCeiling(anonymous, 30)).to.equal(30);
    expect(failures).to.have.lengthOf(answers.length + 1);
  });

  it('does not end the process when it is async and fails', async () => {
    expect(site({ rateCeiling: laterBoom }).rateCeiling(anonymous, 30)).to.equal(30);
    await new Promise(setImmediate);
    expect(failures.map(({ problem }) => problem)).to.deep.equal(['gave a promise instead of a number from 0 up', 'failed']);
  });

  it('may be an object with a life of its own', () => {
    const own = {
      limit: 7,
      rateCeiling(this: { limit: number }): number {
        return this.limit;
      },
    };
    expect(site(own).rateCeiling(anonymous, 30)).to.equal(7);
  });
});

describe('a payment gateway of the site', () => {
  const outcome = (gateway: unknown): Promise<unknown> | undefined => site({ gateways: { acme: gateway } }).gateways.get('acme')?.(payment);

  it('is called with the payment, and its answer is filled up', async () => {
    const gateway = (given: Payment): unknown => ({ status: 'paid', transactionId: given.idempotencyKey });
    expect(await outcome(gateway)).to.deep.equal({ status: 'paid', transactionId: 'payout-501', notice: null });
    expect(await outcome(async () => ({ status: 'failed', notice: 'Account closed.' }))).to.deep.equal({
      status: 'failed',
      transactionId: '',
      notice: 'Account closed.',
    });
  });

  it('that fails or answers nonsense leaves the payout pending, and gives nothing away', async () => {
    const leaky = (): never => {
      throw new Error(`cannot pay ${String(payment.details.address)}`);
    };
    for (const gateway of [leaky, laterBoom, () => undefined, () => ({ status: 'done' }), () => ({ status: 'paid', transactionId: 7 })]) {
      const result = await outcome(gateway);
      expect(result).to.have.property('status', 'failed');
      expect(JSON.stringify(result)).to.not.include('paypal.example');
    }
    expect(new Set(members())).to.deep.equal(new Set(['gateways.acme']));
    expect(failures).to.have.lengthOf(5);
  });
});

describe('a site with webhook events of its own', () => {
  const withEvent = (raisedBy: unknown): GuardedSite =>
    site({ webhookEvents: { 'payout.large': { description: 'A large one.', raisedBy } } });

  it('has them in the catalog, raised by events of the program', () => {
    const large = withEvent(({ data }: ProgramEvent) => (Number(data?.amount) > 30 ? { amount: data?.amount } : null));
    expect([...large.webhookEvents]).to.deep.equal([['payout.large', { description: 'A large one.' }]]);
    expect(large.raisedBy(event)).to.deep.equal([{ event: 'payout.large', data: { amount: 32.38 } }]);
    expect(large.raisedBy({ ...event, data: { amount: 1 } })).to.deep.equal([]);
    expect(failures).to.deep.equal([]);
  });

  it('raises none when it fails or gives no data, and cannot change the event itself', () => {
    for (const raisedBy of [boom, () => 'yes', () => [], () => ({ amount: 10n }), async () => ({})])
      expect(withEvent(raisedBy).raisedBy(event)).to.deep.equal([]);
    expect(failures).to.have.lengthOf(5);
    const meddling = (given: { data: Record<string, unknown> }): void => void (given.data.amount = 0);
    expect(withEvent(meddling).raisedBy(event)).to.deep.equal([]);
    expect(event.data).to.deep.equal({ amount: 32.38 });
  });
});

describe('a site that adds fields to records', () => {
  const declared = new Map([['Coupon', new Set(['shelf', 'colour'])]]);
  const record = { id: 301, code: 'TRAIL10' };
  const presented = (present: Record<string, unknown>): unknown => site({ present }).present('Coupon', record, declared);

  it('adds those that the document declares, behind the contract’s own', () => {
    const fields = JSON.stringify(presented({ Coupon: ({ code }: typeof record) => ({ shelf: `of ${code}` }) }));
    expect(fields).to.equal('{"id":301,"code":"TRAIL10","shelf":"of TRAIL10"}');
  });

  it('adds no others, replaces none, and is told once however many records there are', () => {
    const module = site({ present: { Coupon: () => ({ id: 1, height: 5, colour: 'red' }) } });
    for (let index = 0; index < 100; index += 1)
      expect(module.present('Coupon', record, declared)).to.deep.equal({ ...record, colour: 'red' });
    expect(failures.map(({ problem }) => problem)).to.deep.equal([
      'added id, which amendOpenapi does not declare; it is left out',
      'added height, which amendOpenapi does not declare; it is left out',
    ]);
  });

  it('leaves the record as it is when it fails, meddles or gives no fields', () => {
    const meddling = (given: Record<string, unknown>): Record<string, unknown> => {
      delete given.code;
      return {};
    };
    for (const present of [boom, () => 5, () => undefined, () => ({ shelf: 10n }), async () => ({ shelf: 'x' }), meddling])
      expect(presented({ Coupon: present })).to.deep.equal({ id: 301, code: 'TRAIL10' });
    expect(failures).to.have.lengthOf(5);
  });
});

describe('a site that listens to events', () => {
  it('hears of them, and nothing happens when it fails', async () => {
    const heard: unknown[] = [];
    await site({ onEvent: (given: unknown) => void heard.push(given) }).onEvent(event);
    expect(heard).to.deep.equal([event]);
    for (const onEvent of [boom, laterBoom]) await site({ onEvent }).onEvent(event);
    expect(members()).to.deep.equal(['onEvent', 'onEvent']);
  });
});

describe('a site that amends the document', () => {
  it('is held to the same checks when the guard is asked instead of the document', () => {
    const document = documentOf();
    expect(site({ amendOpenapi: boom }).amendOpenapi(document)).to.equal(document);
    const renamed = site({ amendOpenapi: (given: typeof document) => ({ ...given, info: { ...given.info, title: 'Fjell' } }) });
    expect(renamed.amendOpenapi(document).info.title).to.equal('Fjell');
    expect(members()).to.deep.equal(['amendOpenapi']);
  });
});
