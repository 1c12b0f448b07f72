import { expect } from 'chai';
import { guardSiteModule } from '../../site/extension.ts';
import { anonymous, boom, event, laterBoom, payout, registration, watchedSites } from './extension-samples.ts';
import { documentOf } from './sites.ts';

describe('a site without a module', () => {
  const { failures, site } = watchedSites();

  it('has the default behaviour of the service', async () => {
    const bare = site({});
    const document = documentOf();
    expect(bare.amendOpenapi(document)).to.equal(document);
    expect(bare.beforePayout).to.equal(null);
    expect(await bare.beforeRegistration(registration)).to.equal(null);
    expect(bare.rateCeiling(anonymous, 30)).to.equal(30);
    expect(bare.gateways.size + bare.webhookEvents.size).to.equal(0);
    expect(bare.raisedBy(event)).to.deep.equal([]);
    const record = { id: 301 };
    expect(bare.present('Coupon', record, new Map())).to.equal(record);
    expect(bare.presented.size).to.equal(0);
    expect(bare.onEvent).to.equal(null);
    expect(failures).to.deep.equal([]);
  });
});

describe('the hooks beforePayout and beforeRegistration', () => {
  const { failures, members, site } = watchedSites();

  const asked = async (answer: unknown): Promise<unknown[]> => {
    const module = site({ beforePayout: () => answer, beforeRegistration: () => answer });
    return [await module.beforePayout?.(payout), await module.beforeRegistration(registration)];
  };

  it('allow the request by returning nothing, now or later', async () => {
    for (const answer of [undefined, null, Promise.resolve()]) expect(await asked(answer)).to.deep.equal([null, null]);
    expect(failures).to.deep.equal([]);
  });

  it('refuse with a sentence for the client', async () => {
    const refusal = { reason: 'Only on Fridays.' };
    expect(await asked({ refuse: 'Only on Fridays.' })).to.deep.equal([refusal, refusal]);
    expect(failures).to.deep.equal([]);
  });

  it('refuse when they never answer: the request does not hang, and no coupon stays locked', async () => {
    const hanging = (): Promise<void> => new Promise(() => {});
    const told: string[] = [];
    const module = guardSiteModule({ beforePayout: hanging, beforeRegistration: hanging }, ({ member }) => void told.push(member), 20);
    expect(await module.beforePayout?.(payout)).to.deep.equal({ reason: null });
    expect(await module.beforeRegistration(registration)).to.deep.equal({ reason: null });
    expect(told).to.deep.equal(['beforePayout', 'beforeRegistration']);
  });

  for (const throwing of [boom, laterBoom])
    it(`refuse when they fail (${throwing.name}), and the error stays in the log`, async () => {
      const module = site({ beforePayout: throwing, beforeRegistration: throwing });
      expect(await module.beforePayout?.(payout)).to.deep.equal({ reason: null });
      expect(await module.beforeRegistration(registration)).to.deep.equal({ reason: null });
      expect(members()).to.deep.equal(['beforePayout', 'beforeRegistration']);
      expect(failures[0]?.cause).to.have.property('message', 'boom');
    });

  it('refuse when their answer is invalid, because a refusal can be corrected and a payment cannot', async () => {
    for (const answer of [true, false, 'no', {}, { refuse: true }])
      expect(await asked(answer)).to.deep.equal([{ reason: null }, { reason: null }]);
    expect(failures).to.have.lengthOf(10);
  });
});

describe('the rateCeiling of a site', () => {
  const { failures, site } = watchedSites();

  it('is applied, 0 included', () => {
    for (const ceiling of [0, 1, 500]) expect(site({ rateCeiling: () => ceiling }).rateCeiling(anonymous, 30)).to.equal(ceiling);
    expect(site({ rateCeiling: (_: unknown, byDefault: number) => byDefault * 2.55 }).rateCeiling(anonymous, 30)).to.equal(76);
  });

  it('is ignored, and the default applies, when it fails or returns no valid number of requests', () => {
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

  it('may use this of the object that it is a method of', () => {
    const own = {
      limit: 7,
      rateCeiling(this: { limit: number }): number {
        return this.limit;
      },
    };
    expect(site(own).rateCeiling(anonymous, 30)).to.equal(7);
  });
});
