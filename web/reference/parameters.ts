import type { Contract, Endpoint } from './contract.ts';
import { fieldRow } from './field-row.ts';
import { make } from './make.ts';
import type { Parameter } from './openapi.ts';
import { typeText } from './schema-text.ts';
import { schemaTree } from './schema-tree.ts';

const places: [place: string, title: string][] = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'In a header'],
];

export function parametersPart(contract: Contract, { parameters }: Endpoint): Node[] {
  return places.flatMap(([place, title]) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    if (here.length === 0) return [];
    return [
      make('h4', {}, title),
      make(
        'ul',
        { class: 'fields' },
        here.map((parameter) => row(contract, parameter)),
      ),
    ];
  });
}

function row(contract: Contract, { name, description, required, schema = {}, example }: Parameter): HTMLElement {
  const resolved = contract.resolve(schema);
  const values = resolved.enum ?? contract.resolve(resolved.items ?? {}).enum;
  const shown = values ? { ...resolved, enum: values } : resolved;
  const isRequired = required === true;
  return make(
    'li',
    { class: 'field' },
    fieldRow({ name, type: typeText(contract, schema), schema: shown, description, isRequired, example }),
  );
}

/** One tree, whatever form the body is sent in: the fields are the same. */
export function bodyPart(contract: Contract, { body }: Endpoint): Node[] {
  const content = Object.entries(body?.content ?? {});
  const schema = content[0]?.[1].schema;
  if (!schema) return [];
  const forms = content.map(([form]) => make('code', {}, form)).flatMap((form, index) => (index === 0 ? [form] : [' or ', form]));
  return [make('h4', {}, 'Body'), make('p', { class: 'quiet' }, 'Sent as ', forms, '.'), schemaTree(contract, schema)];
}
