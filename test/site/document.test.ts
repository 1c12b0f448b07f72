import { expect } from 'chai';
import type { JsonObject, OpenApiDocument } from '../../site/document/openapi.ts';
import { buildServedDocument } from '../../site/document.ts';
import { bundle, documentOf, fiveOperations, idsIn, operationsIn, settingsWith, sites } from './sites.ts';

const schemaNames = ({ components }: OpenApiDocument): string[] => Object.keys(components?.schemas ?? {});
const propertiesOf = ({ components }: OpenApiDocument, schema: string): string[] =>
  Object.keys(components?.schemas?.[schema]?.properties ?? {});
const exampleOf = ({ components }: OpenApiDocument, name: string): JsonObject => components?.examples?.[name]?.value as JsonObject;
const tagNames = ({ tags = [] }: OpenApiDocument): string[] => tags.map(({ name }) => name);

/** test/api/dry-run.test.ts checks these. */
const withoutDryRuns = (section = {}): string[] => Object.keys(section).filter((name) => !name.endsWith('DryRun'));

describe('the document of a pro site with every add-on', () => {
  const document = documentOf(sites['every add-on']);

  it('has every operation, webhook, component and example of the contract', () => {
    const whole = bundle();
    expect(idsIn(document)).to.deep.equal(idsIn(whole));
    expect(Object.keys(document.webhooks ?? {})).to.deep.equal(Object.keys(whole.webhooks ?? {}));
    for (const section of Object.keys(whole.components ?? {}))
      expect(withoutDryRuns(document.components?.[section]), section).to.deep.equal(Object.keys(whole.components?.[section] ?? {}));
    expect(document.components?.examples).to.deep.equal(whole.components?.examples);
    expect(document.components?.schemas?.EventKind?.['enum']).to.deep.equal(whole.components?.schemas?.EventKind?.['enum']);
  });

  it('has the path of the API as its server, at service.url where that is set', () => {
    expect(document.servers).to.deep.equal([{ url: '/api/v2', description: 'My store' }]);
    const { servers } = documentOf({ values: { 'service.url': 'https://partners.fjell.shop/' } });
    expect(servers).to.deep.equal([{ url: 'https://partners.fjell.shop/api/v2', description: 'My store' }]);
  });

  it('keeps the access rules and errors that a client needs, and drops the extensions for the service itself', () => {
    const written = JSON.stringify(document);
    for (const field of ['x-access', 'x-scope', 'x-scope-when', 'x-error-codes', 'x-secret', 'x-absent', 'x-owner'])
      expect(written, field).to.include(`"${field}"`);
    for (const field of ['x-transitions', 'x-extends', 'x-set-by', 'x-access-when']) expect(written, field).to.not.include(`"${field}"`);
    // `processing` never leaves the service as such. It is a status of orders too, and there it stays.
    expect(JSON.stringify(document.components?.schemas?.PayoutStatus)).to.not.include('processing');
  });
});

describe('the document of a free site', () => {
  const document = documentOf(sites.free);
  const written = JSON.stringify(document);

  it('does not contain the names of what it does not have', () => {
    const fields = ['payout_eligibility', 'mla_parents', 'upline', 'PayoutEligibility', 'ReportPayouts', 'x-edition'];
    for (const word of [...fields, '/payouts', '/webhooks']) expect(written).to.not.include(word);
  });

  it('has examples as this site would answer: without the fields that it does not have', () => {
    expect(exampleOf(document, 'coupon')).to.have.property('stats').and.not.property('payout_eligibility');
    expect(exampleOf(document, 'affiliate')).to.have.property('payout_method').and.not.property('mla_parents');
    expect(exampleOf(document, 'report')).to.have.property('clicks');
    expect(exampleOf(document, 'report')).to.not.have.property('payouts');
    expect(propertiesOf(document, 'ReportSummary')).to.include('clicks').and.not.include('payouts');
  });

  it('describes no webhooks, and lists no event kinds of payouts, webhooks and multi-level shares', () => {
    expect(document.info['description']).to.not.match(/webhook|payout/i);
    const { enum: kinds, examples } = (document.components?.schemas?.EventKind ?? {}) as { enum: string[]; examples: string[] };
    // An import saves payout details in every edition.
    expect(kinds.filter((kind) => /payout|webhook|mla/.test(kind))).to.deep.equal(['payout_details']);
    expect(kinds).to.include.members(['referral', 'affiliate_created', ...examples]);
    const listed = exampleOf(document, 'events') as unknown as { event: string }[];
    expect(listed.map(({ event }) => event)).to.deep.equal(['referral']);
  });

  it('has neither webhooks nor add-ons nor their tags', () => {
    expect(document).to.not.have.any.keys('webhooks', 'x-add-on-catalog');
    expect(tagNames(document)).to.not.include('payouts').and.not.include('webhooks');
    expect(Object.keys(document['x-access-levels'] as object)).to.deep.equal(['public', 'user', 'admin', 'owner', 'self']);
  });
});

describe('the document of a site', () => {
  it('with payouts switched off has no payout routes and no eligibility of coupons, but the figures of the report', () => {
    const document = documentOf(sites['payouts switched off']);
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/payouts'))).to.deep.equal([]);
    expect(tagNames(document)).to.not.include('payouts');
    expect(schemaNames(document)).to.include('ReportPayouts').and.not.include('PayoutCreated');
    expect(propertiesOf(document, 'ReportSummary')).to.include('payouts');
    expect(document.webhooks).to.include.keys('payout.paid');
    expect(propertiesOf(document, 'CouponDetail')).to.include('stats').and.not.include('payout_eligibility');
  });

  it('with the payouts add-on inactive has no payout routes, fields, webhooks or examples of them, but the kinds of the feed', () => {
    const document = documentOf(sites['without the payouts add-on']);
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/payouts'))).to.deep.equal([]);
    expect(JSON.stringify(document)).to.not.include('payout_eligibility');
    expect(Object.keys(document.webhooks ?? {}).filter((event) => event.includes('payout'))).to.deep.equal([]);
    expect(propertiesOf(document, 'AffiliateDetail')).to.include('mla_parents');
    expect(Object.keys(document['x-add-on-catalog'] as object)).to.deep.equal(['webhooks', 'multi_level']);
  });

  it('with the multi-level add-on inactive has no upline access and no multi-level event', () => {
    const document = documentOf(sites['without the multi-level add-on']);
    expect(operationsIn(document).flatMap((operation) => operation['x-access'])).to.not.include('upline');
    expect(Object.keys(document.webhooks ?? {}).filter((event) => event.includes('mla'))).to.deep.equal([]);
  });

  it('with a document for admins says so, and does not declare /openapi as public', () => {
    const operation = operationsIn(documentOf(sites['document for admins'])).find(({ operationId }) => operationId === 'get_openapi');
    expect(operation?.['x-access']).to.deep.equal(['admin']);
    expect(operation?.security).to.deep.equal([{ bearerApiKey: [] }, { basicAppPassword: [] }]);
    const open = operationsIn(documentOf()).find(({ operationId }) => operationId === 'get_openapi');
    expect(open?.security).to.deep.equal([{ bearerApiKey: [] }, { basicAppPassword: [] }, {}]);
  });

  it('with all but five operations switched off has exactly those five', () => {
    const document = documentOf(sites['all but five operations switched off']);
    expect(new Set(idsIn(document))).to.deep.equal(new Set(fiveOperations));
    expect(Object.keys(document.paths)).to.have.length(4);
  });

  it('omits an operation without constants, because its access rules are unknown', () => {
    const changed = JSON.parse(
      JSON.stringify(bundle()).replace('"operationId":"get_coupons"', '"operationId":"get_secrets"'),
    ) as OpenApiDocument;
    const document = buildServedDocument(changed, settingsWith());
    expect(idsIn(document)).to.not.include('get_secrets');
    expect(document.paths).to.not.have.property('/coupons');
  });
});
