import type { Contract } from './contract.ts';
import { type Child, codeList, h, heading, lazyDetails } from './dom.ts';
import { inlineMarkdown } from './markdown.ts';
import type { Header, Parameter, Schema } from './openapi.ts';

const schemaName = ({ $ref }: Schema): string | undefined => /^#\/components\/schemas\/(.+)$/.exec($ref ?? '')?.[1];

const isObject = ({ type, properties }: Schema): boolean => type === 'object' || properties !== undefined;

/** The type in one short line: `array of Payout`, `integer or null`, `Day`. */
function typeText(contract: Contract, schema: Schema): string {
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return [...new Set(choices.map((choice) => typeText(contract, choice)))].join(' or ');
  const resolved = contract.resolve(schema);
  if (resolved.type === 'array') return `array of ${typeText(contract, resolved.items ?? {})}`;
  const name = schemaName(schema);
  if (name !== undefined && isObject(resolved)) return name;
  const { type, properties, enum: values, const: constant } = resolved;
  if (type !== undefined) return [type].flat().join(' or ');
  if (properties) return 'object';
  const value = constant ?? values?.[0];
  return value === undefined ? 'any' : typeof value;
}

/** The schema inside arrays, and inside a choice between it and null. */
function innerSchema(contract: Contract, schema: Schema): Schema {
  const resolved = contract.resolve(schema);
  const choice = (resolved.oneOf ?? resolved.anyOf)?.find(({ type }) => type !== 'null');
  if (choice) return innerSchema(contract, choice);
  return resolved.type === 'array' && resolved.items ? innerSchema(contract, resolved.items) : resolved;
}

function constraints(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format, pattern } = schema;
  return [
    // Every integer of the contract has this maximum, so it says nothing about this one.
    between(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    between(minLength, maxLength, ' characters'),
    between(minItems, maxItems, ' items'),
    format === 'calendar-day' ? 'YYYY-MM-DD' : (format ?? ''),
    pattern === undefined || format !== undefined ? '' : `matches ${pattern}`,
  ].filter((text) => text !== '');
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? '' : `at most ${most}${unit}`;
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

interface Field {
  readonly name: string;
  readonly type?: string;
  readonly schema?: Schema;
  readonly description?: string | undefined;
  readonly isRequired?: boolean;
  readonly example?: unknown;
}

/** The name, the type, the meaning and the constraints of a property, a parameter or a header. */
function fieldContent({ name, type, schema = {}, description = schema.description, isRequired, example }: Field): Child[] {
  const { 'x-edition': edition, 'x-secret': isSecret, 'x-absent': absent } = schema;
  const facts = factsOf(schema, example);
  return [
    h(
      'div.field-head',
      h('code.field-name', name),
      type !== undefined && h('span.field-type', type),
      isRequired && h('span.required', 'required'),
      edition !== undefined && h('a.note', { href: '#edition' }, `${edition} edition`),
      isSecret && h('span.note', 'shown once'),
    ),
    description && h('p.field-text', inlineMarkdown(description)),
    absent && h('p.field-text.quiet', 'Absent ', inlineMarkdown(absent), '.'),
    facts.length > 0 && h('div.facts', facts),
  ];
}

function factsOf(schema: Schema, example: unknown): HTMLElement[] {
  const { enum: values = [], const: constant, default: defaultValue } = schema;
  const facts = constraints(schema).map((constraint) => h('span', constraint));
  if (defaultValue !== undefined && defaultValue !== '') facts.push(h('span', 'default ', h('code', valueText(defaultValue))));
  if (values.length > 0) facts.push(h('span', 'one of ', codeList(values.map(valueText))));
  else if (constant !== undefined) facts.push(h('span', 'always ', codeList([valueText(constant)])));
  else if (example !== undefined && example !== '' && example !== defaultValue)
    facts.push(h('span', 'example ', h('code', valueText(example))));
  return facts;
}

/**
 * The properties of a record. Nested records are created when they are opened, so records may refer to each other. With `id`, each property is the
 * target of a link: `schema-Coupon.user_id`.
 */
export function schemaTree(contract: Contract, schema: Schema, id?: string): HTMLElement {
  const properties = propertyItems(contract, innerSchema(contract, schema), id);
  const type = typeText(contract, schema);
  if (properties.length > 0) return h('div.tree', type !== 'object' && h('p.tree-type', type), h('ul.fields', properties));
  const resolved = contract.resolve(schema);
  return h('div.tree', h('div.field', fieldContent({ name: schemaName(schema) ?? 'value', type, schema: resolved })));
}

function propertyItems(contract: Contract, { properties = {}, required = [], additionalProperties }: Schema, id?: string): HTMLElement[] {
  const items = Object.entries(properties).map(([name, schema]) => propertyItem(contract, name, schema, required.includes(name), id));
  if (typeof additionalProperties === 'object') items.push(propertyItem(contract, '(any name)', additionalProperties, false));
  return items;
}

function propertyItem(contract: Contract, name: string, schema: Schema, isRequired: boolean, id?: string): HTMLElement {
  const resolved = contract.resolve(schema);
  const field = { name, type: typeText(contract, schema), schema: resolved, isRequired, example: resolved.examples?.[0] };
  const inner = innerSchema(contract, schema);
  const { properties = {}, additionalProperties } = inner;
  const count = Object.keys(properties).length + (typeof additionalProperties === 'object' ? 1 : 0);
  const nested = () => h('ul.fields', propertyItems(contract, inner));
  const details = isObject(inner) && count > 0 && lazyDetails('fold', `${count} ${count === 1 ? 'field' : 'fields'}`, nested);
  return h('li.field', target(id, name), fieldContent(field), details);
}

const target = (id: string | undefined, name: string) => (id === undefined ? {} : { id: `${id}.${name}`, tabindex: -1 });

export function parameterList(contract: Contract, parameters: readonly Parameter[], id?: string): HTMLElement {
  const items = parameters.map(({ name, description, required: isRequired = false, schema = {}, example }) => {
    const resolved = contract.resolve(schema);
    const values = resolved.enum ?? contract.resolve(resolved.items ?? {}).enum;
    const shown = values ? { ...resolved, enum: values } : resolved;
    const field = { name, type: typeText(contract, schema), schema: shown, description, isRequired, example };
    return h('li.field', target(id, name), fieldContent(field));
  });
  return h('ul.fields', items);
}

export function headerList(contract: Contract, headers: Record<string, Header>): HTMLElement {
  const items = Object.entries(headers).map(([name, header]) => {
    const { description, example } = contract.resolve(header);
    return h('li.field', fieldContent({ name, description, example }));
  });
  return h('ul.fields', items);
}

/** The records of the contract by name. */
export const recordsOf = ({ document }: Contract): [string, Schema][] =>
  Object.entries(document.components?.schemas ?? {}).filter(([, schema]) => isObject(schema));

export function recordsSection(contract: Contract): HTMLElement | null {
  const records = recordsOf(contract).map(([name, schema]) => {
    const description = h('span.quiet', inlineMarkdown(schema.description ?? typeText(contract, schema)));
    const id = `schema-${name}`;
    const details = lazyDetails('record', [h('code', name), description], () => schemaTree(contract, schema, id));
    details.id = id;
    return details;
  });
  if (records.length === 0) return null;
  return h(
    'section.chapter',
    heading('h2', 'schemas', 'Records'),
    h('p.prose', 'The records in requests, responses and webhook events.'),
    h('div.records', records),
  );
}
