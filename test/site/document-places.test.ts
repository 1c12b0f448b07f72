import { expect } from 'chai';
import type { JsonObject, OpenApiDocument } from '../../site/document/openapi.ts';
import { buildServedDocument } from '../../site/document.ts';
import { settingsWith } from './sites.ts';

const pro = { type: 'string', 'x-edition': 'pro' };
const text = { type: 'string' };

/** A contract of one operation that answers this schema, with these examples. */
const contractOf = (schema: JsonObject, examples: JsonObject, components: JsonObject = {}): OpenApiDocument => {
  const content = { 'application/json': { schema, examples } };
  const get = { operationId: 'get_me', tags: ['identity'], responses: { '200': { description: 'You.', content } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Small', version: '2.0.0' },
    tags: [{ name: 'identity' }],
    paths: { '/me': { get } },
    components,
  };
  return document as unknown as OpenApiDocument;
};

const served = (document: OpenApiDocument): OpenApiDocument => buildServedDocument(document, settingsWith({ edition: 'free' }));

const mediaOf = (document: OpenApiDocument): { schema: JsonObject; examples: Record<string, { value: unknown }> } => {
  const { get } = document.paths['/me'] as unknown as { get: { responses: Record<string, { content: Record<string, unknown> }> } };
  return get.responses['200']?.content['application/json'] as ReturnType<typeof mediaOf>;
};

const shown = (schema: JsonObject, value: unknown, components?: JsonObject): unknown =>
  mediaOf(served(contractOf(schema, { one: { value } }, components))).examples.one?.value;

describe('a field that this edition does not have', () => {
  const record = { type: 'object', properties: { id: text, extra: pro }, required: ['id', 'extra'] };
  const whole = { id: 'a', extra: 'b' };

  it('is removed from the properties and from the required ones', () => {
    const { schema } = mediaOf(served(contractOf(record, {})));
    expect(schema).to.deep.equal({ type: 'object', properties: { id: text }, required: ['id'] });
  });

  it('is removed from the examples at any depth', () => {
    expect(shown(record, whole)).to.deep.equal({ id: 'a' });
    expect(shown({ type: 'array', items: record }, [whole, whole])).to.deep.equal([{ id: 'a' }, { id: 'a' }]);
    expect(shown({ oneOf: [record, { type: 'null' }] }, whole)).to.deep.equal({ id: 'a' });
    expect(shown({ allOf: [{ properties: { name: text } }, record] }, { ...whole, name: 'n' })).to.deep.equal({ id: 'a', name: 'n' });
    expect(shown({ additionalProperties: record }, { T1: whole })).to.deep.equal({ T1: { id: 'a' } });
    expect(shown({ properties: { inner: record } }, { inner: whole, extra: 'mine' })).to.deep.equal({ inner: { id: 'a' }, extra: 'mine' });
    expect(shown({ oneOf: [record, { type: 'null' }] }, null)).to.equal(null);
  });

  it('is removed from shared examples, and from examples and defaults of the schema', () => {
    const reference = { $ref: '#/components/schemas/Record' };
    const components = { schemas: { Record: { ...record, examples: [whole], default: whole } }, examples: { shared: { value: whole } } };
    const document = served(contractOf(reference, { one: { $ref: '#/components/examples/shared' } }, components));
    expect(document.components?.examples).to.deep.equal({ shared: { value: { id: 'a' } } });
    expect(document.components?.schemas?.Record).to.deep.include({ examples: [{ id: 'a' }], default: { id: 'a' } });
  });

  it('is recognised by the x-edition of the schema that it refers to, which is removed with it', () => {
    const schema = { properties: { id: text, extra: { $ref: '#/components/schemas/Extra' } } };
    const document = served(contractOf(schema, { one: { value: whole } }, { schemas: { Extra: pro } }));
    expect(mediaOf(document)).to.deep.equal({ schema: { properties: { id: text } }, examples: { one: { value: { id: 'a' } } } });
    expect(document.components).to.equal(undefined);
  });
});

describe('a field with the name of a JSON Schema keyword', () => {
  it('is treated as a field: its schema is read, and its data is not', () => {
    const holder = { type: 'object', properties: { extra: pro } };
    const emptied = { type: 'object', properties: {} };
    const named = { properties: { properties: holder, example: pro, default: holder, value: holder, examples: text } };
    const { schema } = mediaOf(served(contractOf(named, {})));
    expect(schema.properties).to.deep.equal({ properties: emptied, default: emptied, value: emptied, examples: text });
    const data = { properties: { extra: 'x' }, default: 'd', value: 'v', examples: 'e', 'x-transitions': 1, $ref: '#/nowhere' };
    expect(shown(named, { ...data, example: 'gone' })).to.deep.equal({ ...data, properties: {} });
  });
});
