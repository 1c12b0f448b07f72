import type { Contract, Endpoint } from './contract.ts';
import { h } from './dom.ts';

export const methodBadge = (method: string): HTMLElement => h(`span.method.method-${method}`, method.toUpperCase());

export const statusClass = (status: string | number): string => `status-${String(status)[0] ?? 'x'}`;

export const statusBadge = (status: string | number, text = ''): HTMLElement =>
  h(`span.status.${statusClass(status)}`, `${status} ${text}`.trim());

const badge = (className: string, text: string, title: string): HTMLElement => h(`span.badge.${className}`, { title }, text);

const editionBadge = (edition: string): HTMLElement =>
  h('a.badge.edition', { href: '#edition', title: 'An edition of the service, chosen by a setting.' }, edition);

/** Who may call an operation, with which scope, in which edition: read from the extensions of the contract. */
export function accessBadges(contract: Contract, { operation }: Endpoint): HTMLElement {
  const levels = contract.document['x-access-levels'] ?? {};
  const { 'x-access': access = [], 'x-scope': scope = 'none', 'x-scope-when': scopesWhen = [], 'x-edition': edition } = operation;
  const levelBadges = access.map((level) => badge('access', level, levels[level]?.description ?? ''));
  const whenBadges = scopesWhen.map(({ scope, parameter, equals }) =>
    badge('scope', `${scope} with ${parameter}`, `A key needs the scope ${scope} when ${parameter} is ${String(equals)}.`),
  );
  return h(
    'div.badges',
    levelBadges,
    scope !== 'none' && badge('scope', `scope ${scope}`, `An API key needs the scope ${scope}.`),
    whenBadges,
    edition !== undefined && editionBadge(edition),
    operation.deprecated && badge('deprecated', 'deprecated', 'Will be removed.'),
  );
}
