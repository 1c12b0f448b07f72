import { bodySchema, type ContractOperation, type JsonSchema, type Parameter, propertiesOf } from '../../server/contract/document.ts';
import { acceptsEmpty } from '../../server/contract/read-request.ts';
import type { Random } from './random.ts';

export interface SampleRequest {
  readonly path: string;
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

// Only notations that openapi-backend and this service read alike; the differences are tested in equals-library.test.ts.
function textFor(random: Random, schema: JsonSchema): string {
  if (schema.type === 'boolean') return random.pick(['true', 'false', 'abc', '2', '']);
  if (random.chance(0.3)) return random.pick(['abc', '0', '-1', '1.5', '5000000000', '2026-02-30', '', 'é', 'true', 'paid']);
  if (schema.enum) return String(random.pick(schema.enum));
  if (schema.type === 'integer') return String(1 + random.below(100));
  if (schema.type === 'array') return [1, 2].map(() => textFor(random, schema.items ?? {})).join(',');
  return schema.format === 'calendar-day' ? '2026-10-01' : random.pick(['autumn', 'a b', 'x'.repeat(101)]);
}

function valueFor(random: Random, schema: JsonSchema): unknown {
  if (random.chance(0.25))
    return random.pick<unknown>([null, 'abc', 0, -1, 1.5, 1e20, true, [], ['read'], {}, '2026-02-30', 'x'.repeat(3000)]);
  if (schema.enum) return random.pick(schema.enum);
  if (schema.type === 'integer') return 1 + random.below(1000);
  if (schema.type === 'boolean') return random.chance(0.5);
  if (schema.type === 'array') return Array.from({ length: random.below(5) }, () => valueFor(random, schema.items ?? {}));
  return schema.format === 'calendar-day' ? '2026-10-01' : 'https://example.com/hook';
}

/** A request that is valid in most places and invalid in some. */
export function sampleRequest(random: Random, operation: ContractOperation): SampleRequest {
  const inPlace = (place: Parameter['in'], share = 1) => operation.parameters.filter((one) => one.in === place && random.chance(share));
  const path = inPlace('path').reduce(
    (filled, { name, schema }) => filled.replace(`{${name}}`, encodeURIComponent(textFor(random, schema) || '5')),
    operation.path,
  );
  const headers = inPlace('header', 0.5).map(({ name }) => [name.toLowerCase(), random.pick(['a1', 'x'.repeat(300)])]);
  return {
    path,
    search: new URLSearchParams(inPlace('query', 0.3).flatMap((parameter) => queryPairs(random, parameter))).toString(),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: operation.requestBody && sampleBody(random, operation),
  };
}

function queryPairs(random: Random, parameter: Parameter): [string, string][] {
  const { name, schema } = parameter;
  const pair = (): [string, string] => [name, textFor(random, schema) || (acceptsEmpty(parameter) ? 'abc' : '')];
  return schema.type !== 'array' && random.chance(0.05) ? [pair(), pair()] : [pair()];
}

function sampleBody(random: Random, operation: ContractOperation): unknown {
  const fields = Object.entries(propertiesOf(bodySchema(operation) ?? {})).filter(() => random.chance(0.8));
  const required = bodySchema(operation)?.required ?? [];
  const body = Object.fromEntries(
    fields.map(([name, schema]) => [name, valueFor(random, schema) ?? (required.includes(name) ? null : 'abc')]),
  );
  return random.chance(0.05) ? random.pick<unknown>([null, [], [body]]) : body;
}
