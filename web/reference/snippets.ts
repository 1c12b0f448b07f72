import type { Contract, Endpoint } from './contract.ts';
import { jsonText } from './json-view.ts';

/** A call as it could be sent: what snippets show, and what the try-it panel sends. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

export type Authorisation = 'key' | 'basic' | 'session' | 'none';

/** The shortest call that works: what is required, with the contract's examples. */
export function exampleCall(contract: Contract, endpoint: Endpoint): Call {
  const required = endpoint.parameters.filter(({ required }) => required);
  const of = (place: string): [string, string][] =>
    required.filter((parameter) => parameter.in === place).map(({ name, example }) => [name, valueText(example)]);
  const example = contract.examplesOf(endpoint.body?.content?.['application/json']?.examples)[0];
  return {
    method: endpoint.method,
    path: endpoint.path,
    pathParameters: Object.fromEntries(of('path')),
    query: of('query'),
    headers: of('header'),
    body: example && jsonText(example.value),
  };
}

/** A parameter's value as it is written into an address. */
export const valueText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value ?? ''));

export const isOpenToAll = ({ operation }: Endpoint): boolean =>
  (operation.security ?? []).some((scheme) => Object.keys(scheme).length === 0);

export function addressOf({ path, pathParameters, query }: Call): string {
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(pathParameters[name] ?? ''));
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const credentialLine: Record<Authorisation, string | undefined> = {
  key: '-H "Authorization: Bearer $TOKEN"',
  basic: '-u "$LOGIN:$APP_PASSWORD"',
  session: '-H "Cookie: svc_session=$SESSION" -H "X-Svc-CSRF: $CSRF"',
  none: undefined,
};

/** Never with the credential itself: what is copied ends up in chats and histories. */
export function curl(baseUrl: string, call: Call, authorisation: Authorisation): string {
  const verb = call.method === 'get' ? 'curl' : `curl -X ${call.method.toUpperCase()}`;
  const lines = [
    `${verb} ${quoted(baseUrl + addressOf(call))}`,
    credentialLine[authorisation],
    ...call.headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(call.body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(call.body)}`]),
  ];
  return lines.filter((line) => line !== undefined).join(' \\\n  ');
}

export function javascript(baseUrl: string, call: Call, authorisation: Authorisation): string {
  const headers = [
    ...(authorisation === 'none' ? [] : ['Authorization: `Bearer ${token}`']),
    ...(call.body === undefined ? [] : ["'Content-Type': 'application/json'"]),
    ...call.headers.map(([name, value]) => `'${name}': '${value}'`),
  ];
  const options = [
    ...(call.method === 'get' ? [] : [`  method: '${call.method.toUpperCase()}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(call.body === undefined ? [] : [`  body: JSON.stringify(${indented(literal(call.body))}),`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const answer = await fetch('${baseUrl}${addressOf(call)}'${given});
if (!answer.ok) throw new Error((await answer.json()).message);
const result = await answer.json();`;
}

/** JSON as JavaScript is written: names without quotes where they need none, texts in single ones. */
export const literal = (json: string): string =>
  json
    .replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) => `'${text.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`);

const indented = (text: string): string => text.replaceAll('\n', '\n  ');
