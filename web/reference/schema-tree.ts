import { type Contract, schemaName } from './contract.ts';
import { fieldRow } from './field-row.ts';
import { append, make } from './make.ts';
import type { Schema } from './openapi.ts';
import { innerSchema, isRecord, typeText } from './schema-text.ts';

/** The fields of a record, each of which opens to show its own. What is folded is made when it is opened, so records may hold each other. */
export function schemaTree(contract: Contract, schema: Schema): HTMLElement {
  const inner = innerSchema(contract, schema);
  const type = typeText(contract, schema);
  const fields = fieldsOf(contract, inner);
  const isPlain = fields.length === 0;
  return make(
    'div',
    { class: 'tree' },
    isPlain
      ? make('div', { class: 'field' }, fieldRow({ name: schemaName(schema) ?? 'value', type, schema: contract.resolve(schema) }))
      : [type !== 'object' && make('p', { class: 'tree-type' }, type), make('ul', { class: 'fields' }, fields)],
  );
}

function fieldsOf(contract: Contract, record: Schema): HTMLElement[] {
  const required = new Set(record.required ?? []);
  const named = Object.entries(record.properties ?? {}).map(([name, schema]) => field(contract, name, schema, required.has(name)));
  const others = record.additionalProperties;
  return typeof others === 'object' ? [...named, field(contract, '(any name)', others, false)] : named;
}

function field(contract: Contract, name: string, schema: Schema, isRequired: boolean): HTMLElement {
  const resolved = contract.resolve(schema);
  const notes = resolved['x-edition'] === undefined ? [] : [`${resolved['x-edition']} edition`];
  const row = fieldRow({ name, type: typeText(contract, schema), schema: resolved, isRequired, notes, example: resolved.examples?.[0] });
  const inner = innerSchema(contract, schema);
  const item = make('li', { class: 'field' }, row);
  if (isRecord(inner) && fieldCount(inner) > 0) item.append(folded(contract, inner));
  return item;
}

const fieldCount = ({ properties = {}, additionalProperties }: Schema): number =>
  Object.keys(properties).length + (typeof additionalProperties === 'object' ? 1 : 0);

function folded(contract: Contract, record: Schema): HTMLElement {
  const count = fieldCount(record);
  return lazyDetails('fold', [`${count} ${count === 1 ? 'field' : 'fields'}`], () => [
    make('ul', { class: 'fields' }, fieldsOf(contract, record)),
  ]);
}

/** Details whose content is made when they are first opened. */
export function lazyDetails(look: string, summary: (Node | string)[], content: () => Node[]): HTMLDetailsElement {
  const details = make('details', { class: look }, make('summary', {}, summary));
  details.addEventListener('toggle', () => append(details, content()), { once: true });
  return details;
}
