import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { JsonObject, OpenApiDocument } from '../../site/document/openapi.ts';
import { buildServedDocument } from '../../site/document.ts';
import { bundle, documentOf, everyAddOn, operationIds, operationsIn, type Site, settingsWith, sites } from './sites.ts';

/** Every object of a document, data and description alike. */
function* partsOf(value: unknown): Generator<JsonObject> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as JsonObject;
  for (const inner of Object.values(value)) yield* partsOf(inner);
}

const referencesIn = (document: OpenApiDocument): string[] =>
  [...partsOf(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));

const resolve = (document: unknown, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as JsonObject | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);

const withoutOneOperation = operationIds.map((id): [string, Site] => [
  `without ${id}`,
  { values: { ...everyAddOn, [`switches.${id}`]: false } },
]);

describe('the document of every site', () => {
  for (const [title, site] of [...Object.entries(sites), ...withoutOneOperation]) {
    const document = documentOf(site);

    it(`has only references that resolve and components that are used: ${title}`, () => {
      const references = new Set(referencesIn(document));
      for (const reference of references) expect(resolve(document, reference), reference).to.be.an('object');
      const { securitySchemes, ...components } = document.components ?? {};
      expect(Object.keys(securitySchemes ?? {})).to.deep.equal(['bearerApiKey', 'basicAppPassword']);
      const declared = Object.entries(components).flatMap(([section, parts]) =>
        Object.keys(parts).map((name) => `#/components/${section}/${name}`),
      );
      expect(declared.filter((address) => !references.has(address))).to.deep.equal([]);
    });

    it(`has no empty path and no tag without operations: ${title}`, () => {
      for (const item of Object.values(document.paths)) expect(Object.keys(item)).to.not.deep.equal([]);
      const webhooks = Object.values(document.webhooks ?? {}).flatMap((item) => Object.values(item) as JsonObject[]);
      const used = new Set([...operationsIn(document), ...webhooks].flatMap(({ tags }) => tags));
      expect((document.tags ?? []).filter(({ name }) => !used.has(name))).to.deep.equal([]);
    });

    it(`has the same bytes for the same settings, and leaves the bundle unchanged: ${title}`, () => {
      const untouched = bundle();
      const again = buildServedDocument(untouched, settingsWith(site.values));
      expect(JSON.stringify(again)).to.equal(JSON.stringify(document));
      expect(isDeepStrictEqual(untouched, bundle())).to.equal(true);
    });
  }
});
