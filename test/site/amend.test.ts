import { expect } from 'chai';
import type { OpenApiDocument } from '../../site/document/openapi.ts';
import { findAddedFields } from '../../site/document/record-fields.ts';
import type { ExtensionFailure } from '../../site/extension.ts';
import { bundle, documentOf, sites } from './sites.ts';

describe('a document that the site amends', () => {
  const plain = JSON.stringify(documentOf());
  let failures: ExtensionFailure[];
  const report = (failure: ExtensionFailure): void => void failures.push(failure);

  beforeEach(() => {
    failures = [];
  });

  const amendedBy = (amend: (document: OpenApiDocument) => unknown): OpenApiDocument =>
    documentOf({}, { amend: amend as (document: OpenApiDocument) => OpenApiDocument, report });

  it('is served as the site returned it', () => {
    const document = amendedBy((given) => ({ ...given, info: { ...given.info, title: 'Fjell partners' } }));
    expect(document.info.title).to.equal('Fjell partners');
    expect(failures).to.deep.equal([]);
  });

  it('is a copy: later changes by the site to its argument or its result do not affect the served document', () => {
    const whole = bundle();
    let kept: { info: { title: string } } | undefined;
    const document = amendedBy((given) => {
      kept = given as unknown as typeof kept;
      return given;
    });
    if (kept) kept.info.title = 'changed later';
    expect(document.info.title).to.equal(whole.info.title);
    expect(JSON.stringify(document)).to.equal(plain);
  });

  const circular = (given: OpenApiDocument): unknown => {
    const loop: Record<string, unknown> = { ...given };
    return Object.assign(loop, { loop });
  };
  const { info } = documentOf();
  const rubbish: [string, (given: OpenApiDocument) => unknown, RegExp][] = [
    [
      'throws',
      () => {
        throw new Error('no such file');
      },
      /^failed$/,
    ],
    [
      'changes its argument and then throws',
      (given) => {
        Object.assign(given.paths, { '/half': {} });
        Object.assign(given.info, { title: 'Half' });
        throw new Error('halfway');
      },
      /^failed$/,
    ],
    ['returns nothing', () => undefined, /^gave undefined instead of an OpenAPI/],
    ['returns null', () => null, /^gave null instead/],
    ['returns text', () => 'openapi', /^gave openapi instead/],
    ['returns a list', () => [], /^gave another object instead/],
    ['returns another object', () => ({ hello: 'world' }), /^gave another object instead/],
    ['returns a document without paths', () => ({ openapi: '3.1.0', info }), /^gave another object/],
    ['returns a document of another version', (given) => ({ ...given, openapi: '2.0' }), /^gave another object/],
    ['returns a document without title', (given) => ({ ...given, info: {} }), /^gave another object/],
    ['returns a promise', async (given) => given, /^gave a promise instead/],
    ['returns what JSON cannot carry', (given) => ({ ...given, 'x-count': 10n }), /^failed$/],
    ['returns a circle', circular, /^failed$/],
  ];
  for (const [title, amend, problem] of rubbish)
    it(`is served without the amendment, and the failure is reported once, when the site ${title}`, () => {
      expect(JSON.stringify(amendedBy(amend))).to.equal(plain);
      expect(failures.map(({ member }) => member)).to.deep.equal(['amendOpenapi']);
      expect(failures[0]?.problem).to.match(problem);
    });

  it('does not end the process when the site’s promise is rejected', async () => {
    expect(JSON.stringify(amendedBy(() => Promise.reject(new Error('later'))))).to.equal(plain);
    await new Promise(setImmediate);
    expect(failures.map(({ problem }) => problem)).to.deep.equal([
      'gave a promise instead of an OpenAPI 3.1 document with info and paths',
      'failed',
    ]);
  });

  it('lists the fields that the site declared beyond the contract, and no field of the contract is among them', () => {
    const amend = (given: OpenApiDocument): OpenApiDocument => {
      Object.assign(given.components?.schemas?.CouponDetail?.properties ?? {}, {
        shelf: { type: 'string' },
        payout_eligibility: { type: 'string' },
      });
      return given;
    };
    const document = documentOf(sites.free, { amend, report });
    expect(findAddedFields(bundle(), document)).to.deep.equal(new Map([['CouponDetail', new Set(['shelf'])]]));
    expect(findAddedFields(bundle(), documentOf(sites.free))).to.deep.equal(new Map());
  });
});
