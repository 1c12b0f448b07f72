import { make } from './make.ts';
import { inlineMarkdown } from './markdown.ts';
import type { Schema } from './openapi.ts';
import { bounds } from './schema-text.ts';

export interface FieldRow {
  name: string;
  type: string;
  schema: Schema;
  description?: string | undefined;
  /** A few words beside the name: where it goes, whether it must be there. */
  notes?: readonly string[];
  isRequired?: boolean;
  example?: unknown;
}

/** One field of a record or one parameter: what it is called, what it takes, what it means. */
export function fieldRow({ name, type, schema, description, notes = [], isRequired = false, example }: FieldRow): HTMLElement[] {
  const head = make(
    'div',
    { class: 'field-head' },
    make('code', { class: 'field-name' }, name),
    make('span', { class: 'field-type' }, type),
    isRequired && make('span', { class: 'required' }, 'required'),
    notes.map((note) => make('span', { class: 'note' }, note)),
    schema['x-secret'] && make('span', { class: 'note' }, 'shown once'),
  );
  const text = description ?? schema.description;
  const facts = factsOf(schema, example);
  return [
    head,
    ...(text ? [make('p', { class: 'field-text' }, inlineMarkdown(text))] : []),
    ...(schema['x-absent'] ? [make('p', { class: 'field-text quiet' }, 'Absent ', inlineMarkdown(schema['x-absent']), '.')] : []),
    ...(facts.length > 0 ? [make('div', { class: 'facts' }, facts)] : []),
  ];
}

function factsOf(schema: Schema, example: unknown): Node[] {
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const facts = bounds(schema).map((bound) => make('span', {}, bound));
  if (schema.default !== undefined && schema.default !== '')
    facts.push(make('span', {}, 'default ', make('code', {}, text(schema.default))));
  if (values.length > 0) facts.push(make('span', { class: 'values' }, schema.const === undefined ? 'one of ' : 'always ', spaced(values)));
  else if (example !== undefined && example !== '' && example !== schema.default)
    facts.push(make('span', {}, 'such as ', make('code', {}, text(example))));
  return facts;
}

const spaced = (values: readonly unknown[]): (Node | string)[] => values.flatMap((value) => [make('code', {}, text(value)), ' ']);

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
