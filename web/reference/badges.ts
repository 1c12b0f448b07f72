import type { Contract, Endpoint } from './contract.ts';
import { make } from './make.ts';

export const methodBadge = (method: string): HTMLElement => make('span', { class: `method method-${method}` }, method.toUpperCase());

const badge = (look: string, text: string, meaning: string): HTMLElement => make('span', { class: `badge ${look}`, title: meaning }, text);

/** Who may call, with which scope, in which edition: read from the contract's own fields. */
export function badges(contract: Contract, { operation }: Endpoint): HTMLElement {
  const levels = contract.document['x-access-levels'] ?? {};
  const access = (operation['x-access'] ?? []).map((level) => badge('access', level, levels[level]?.description ?? ''));
  const scope = operation['x-scope'];
  const further = (operation['x-scope-when'] ?? []).map((when) =>
    badge(
      'scope',
      `${when.scope} with ${when.parameter}`,
      `A key needs the scope ${when.scope} when ${when.parameter} is ${String(when.equals)}.`,
    ),
  );
  return make(
    'div',
    { class: 'badges' },
    access,
    scope !== undefined && scope !== 'none' && badge('scope', `scope ${scope}`, `An API key needs the scope ${scope}.`),
    further,
    operation['x-edition'] !== undefined && badge('edition', operation['x-edition'], `Exists in the ${operation['x-edition']} edition.`),
    operation.deprecated && badge('deprecated', 'deprecated', 'Will go away.'),
  );
}

export const statusClass = (status: string | number): string => `status-${String(status)[0] ?? 'x'}`;

export const statusBadge = (status: string | number, text = ''): HTMLElement =>
  make('span', { class: `status ${statusClass(status)}` }, `${status} ${text}`.trim());
