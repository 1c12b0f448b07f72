import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { OperationId } from '../../generated/operations.ts';
import { isJsonObject, type JsonObject, type OpenApiDocument } from '../../site/document/openapi.ts';
import { buildServedDocument } from '../../site/document.ts';
import { bundle, documentOf, everyAddOn, idsIn, operationIds, operationsIn, type Site, settingsWith, sites } from './sites.ts';

/** In data and description alike. */
const referencesIn = (document: OpenApiDocument): string[] =>
  [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference = '']) => reference);

const resolve = (document: unknown, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as JsonObject | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);

interface SiteWithIds extends Site {
  /** Of the operations in its document. */
  ids?: readonly OperationId[];
}

const withoutOneOperation = operationIds.map((id): [string, SiteWithIds] => [
  `without ${id} and nothing else`,
  { values: { ...everyAddOn, [`switches.${id}`]: false }, ids: operationIds.filter((other) => other !== id) },
]);

describe('the document of every site', () => {
  for (const [title, site] of [...Object.entries<SiteWithIds>(sites), ...withoutOneOperation])
    it(`has only references that resolve and components that are used, and no empty path or tag: ${title}`, () => {
      const document = documentOf(site);
      if (site.ids) expect(idsIn(document)).to.deep.equal(site.ids);
      const references = new Set(referencesIn(document));
      expect([...references].filter((reference) => !isJsonObject(resolve(document, reference)))).to.deep.equal([]);
      const { securitySchemes, ...components } = document.components ?? {};
      expect(Object.keys(securitySchemes ?? {})).to.deep.equal(['bearerApiKey', 'basicAppPassword']);
      const declared = Object.entries(components).flatMap(([section, parts]) =>
        Object.keys(parts).map((name) => `#/components/${section}/${name}`),
      );
      expect(declared.filter((address) => !references.has(address))).to.deep.equal([]);
      for (const item of Object.values(document.paths)) expect(Object.keys(item)).to.not.deep.equal([]);
      const webhooks = Object.values(document.webhooks ?? {}).flatMap((item) => Object.values(item) as JsonObject[]);
      const used = new Set([...operationsIn(document), ...webhooks].flatMap(({ tags }) => tags));
      expect((document.tags ?? []).filter(({ name }) => !used.has(name))).to.deep.equal([]);
    });

  for (const [title, site] of Object.entries(sites))
    it(`has the same bytes for the same settings, and leaves the bundle unchanged: ${title}`, () => {
      const untouched = bundle();
      const again = buildServedDocument(untouched, settingsWith(site.values));
      expect(JSON.stringify(again)).to.equal(JSON.stringify(documentOf(site)));
      expect(isDeepStrictEqual(untouched, bundle())).to.equal(true);
    });
});
