import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { loadSiteModule, SiteModuleError } from '../../site/extension.ts';
import { temporaryFolder } from '../support/postgres.ts';

describe('the module of a site', () => {
  const folder = temporaryFolder('site-module-');
  let number = 0;
  const written = (source: string): string => {
    const file = path.join(folder, `site-${(number += 1)}.mjs`);
    writeFileSync(file, source);
    return file;
  };

  const refusalOf = async (file: string): Promise<string> => {
    const error = await loadSiteModule(file).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(SiteModuleError);
    return (error as SiteModuleError).message;
  };

  it('is its default export, or its export named site', async () => {
    const byDefault = await loadSiteModule(written('export default { rateCeiling: () => 7 };'));
    expect(byDefault.rateCeiling?.({ kind: 'anonymous' }, 30)).to.equal(7);
    const named = await loadSiteModule(written('export const site = { onEvent() {} };'));
    expect(named.onEvent).to.be.a('function');
    expect(await loadSiteModule(written('export default {};'))).to.deep.equal({});
  });

  it('may have every member of the interface', async () => {
    const source = `export default {
      amendOpenapi: (document) => document, beforePayout() {}, beforeRegistration() {}, rateCeiling: (identity, byDefault) => byDefault,
      gateways: { acme: () => ({ status: 'paid' }) }, webhookEvents: { 'payout.large': { description: 'A large one.', raisedBy: () => null } },
      present: { Coupon: () => ({}) }, onEvent() {},
    };`;
    expect(Object.keys(await loadSiteModule(written(source)))).to.have.lengthOf(8);
  });

  it('may be named by a path relative to where the service runs', async () => {
    const file = written('export default {};');
    expect(await loadSiteModule(path.relative(process.cwd(), file))).to.deep.equal({});
  });

  it('that is missing is named', async () => {
    const missing = path.join(folder, 'missing.mjs');
    expect(await refusalOf(missing)).to.equal(`There is no site module at ${missing}.`);
    expect(await refusalOf(folder)).to.equal(`There is no site module at ${folder}.`);
  });

  it('that cannot be read is refused with the reason', async () => {
    const broken = written('export default {');
    expect(await refusalOf(broken))
      .to.match(/could not be loaded: .+/)
      .and.include(broken);
    expect(await refusalOf(written("throw new Error('no licence');"))).to.include('could not be loaded: no licence');
    expect(await refusalOf(written("throw 'text';"))).to.include('could not be loaded: text');
  });

  const wrong: [string, string, string][] = [
    ['exports nothing', 'export {};', 'exports no object, neither as default nor as `site`'],
    ['exports a function', 'export default () => {};', 'exports no object'],
    [
      'has an unknown member',
      'export default { beforePayuot() {} };',
      'it has beforePayuot, but the members are amendOpenapi, beforePayout,',
    ],
    ['has several such members', 'export default { a: 1, b: 2 };', 'it has a, b, but'],
    ['has text for a function', "export default { rateCeiling: '100' };", 'rateCeiling must be a function'],
    ['has null for a function', 'export default { onEvent: null };', 'onEvent must be a function'],
    ['has a list of gateways', 'export default { gateways: [] };', 'gateways must be an object'],
    ['has a gateway that is no function', 'export default { gateways: { acme: {} } };', '"acme" must be a function'],
    ['has a gateway of a shipped name', 'export default { gateways: { manual() {} } };', '"manual" is a gateway of the service already'],
    ['has a gateway of an odd name', "export default { gateways: { 'Acme Pay'() {} } };", '"Acme Pay" must be a short word in lower case'],
    [
      'has an event without raisedBy',
      "export default { webhookEvents: { 'a.b': { description: 'x' } } };",
      '"a.b" must be { description, raisedBy }',
    ],
    [
      'has an event of ours',
      "export default { webhookEvents: { 'payout.paid': {} } };",
      '"payout.paid" is an event of the service already',
    ],
    ['has an event of an odd name', 'export default { webhookEvents: { Big: {} } };', '"Big" must look like payout.large'],
    ['presents an unknown record', 'export default { present: { Coupons() {} } };', '"Coupons" is none of the records Affiliate,'],
    ['presents with no function', 'export default { present: { Coupon: {} } };', '"Coupon" must be a function'],
  ];
  for (const [title, source, sentence] of wrong)
    it(`that ${title} is refused, naming it`, async () => {
      expect(await refusalOf(written(source))).to.include(sentence);
    });

  it('is refused with all of its problems at once', async () => {
    const message = await refusalOf(written("export default { oops: 1, onEvent: 2, gateways: 'x' };"));
    expect(message).to.include('oops').and.include('onEvent must be a function').and.include('gateways must be an object');
  });
});
