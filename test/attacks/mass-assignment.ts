import type { Contract } from '../../server/contract/contract.ts';
import { type JsonSchema, propertiesOf } from '../../server/contract/document.ts';

// What an attacker writes into a body beside what may be written there.

export const hijacked = 'hijacked';
export const number = 424_242;
const inherited = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
const wished =
  'role is_admin isAdmin admin permissions password password_hash secret token created_by auto_accept gateway amountMinor userId'.split(
    ' ',
  );

/** The names of everything that any answer shows, at any depth. */
function shownNames(contract: Contract): Set<string> {
  const names = new Set<string>();
  const look = (schema: JsonSchema | undefined, depth = 0): void => {
    if (!schema || depth > 8) return;
    for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), schema.items]) look(part, depth + 1);
    for (const [name, inner] of Object.entries(propertiesOf(schema))) {
      names.add(name);
      look(inner, depth + 1);
    }
  };
  for (const { responses } of contract.operations)
    for (const { content } of Object.values(responses)) look(content?.['application/json']?.schema);
  return names;
}

const valueFor = (name: string): unknown => {
  if (inherited.includes(name)) return { hijacked, is_admin: true, role: 'administrator', scopes: ['manage'] };
  if (/id$|amount|commission|failures|_count|_at$|minor$/i.test(name)) return number;
  return /^(scopes|events|groups|coupons)$/.test(name) ? [hijacked] : hijacked;
};

/** Own properties, also those that a literal would take for something else. */
export const withExtras = (body: Record<string, unknown>, names: readonly string[]): Record<string, unknown> => {
  const fields = [...Object.entries(body), ...names.map((name) => [name, valueFor(name)] as const)];
  return JSON.parse(`{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`);
};

export const pairs = (body: Record<string, unknown>): string =>
  Object.entries(body)
    .flatMap(([name, value]) =>
      [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(typeof one === 'object' ? hijacked : String(one))}`),
    )
    .join('&');

/** Every name that an attacker could know of: from answers, from the tables, and from what would be nice to have. */
export const temptingNames = (contract: Contract, columns: readonly string[]): string[] => [
  ...new Set([...shownNames(contract), ...columns, ...wished, ...inherited]),
];
