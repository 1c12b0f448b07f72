import { routes } from '../../generated/client.ts';
import { type Call, literal } from './snippets.ts';

/** The call with the package in client/, whose names come from the same contract. Null for what a site has added to it. */
export function typedClient(baseUrl: string, call: Call): string | null {
  const name = nameOf(call);
  if (name === null) return null;
  const input = call.body === undefined ? literalOf(call.query) : literal(call.body);
  const args = [...Object.values(call.pathParameters), ...(input === '' ? [] : [input])];
  return `import { createApi } from 'affiliate-program-client';

const api = createApi({ baseUrl: '${baseUrl}', token });
const result = await api.${name}(${args.join(', ')});`;
}

/** `coupons.get` for GET /coupons/{id}. */
function nameOf({ method, path }: Call): string | null {
  const [, resource = '', below = ''] = /^\/([^/]+)(.*)$/.exec(path) ?? [];
  const calls: Record<string, string> = Object.entries(routes).find(([name]) => name === resource)?.[1] ?? {};
  const wanted = `${method.toUpperCase()} ${below}`.trim();
  const found = Object.entries(calls).find(([, route]) => route.replace(/[?!]*$/, '').trim() === wanted);
  return found ? `${resource}.${found[0]}` : null;
}

const literalOf = (query: readonly (readonly [string, string])[]): string =>
  query.length === 0 ? '' : literal(JSON.stringify(Object.fromEntries(query), null, 2));
