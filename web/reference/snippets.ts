import { routes } from '../../generated/client.ts';
import { formatJson } from './code-block.ts';
import { type Contract, type Endpoint, jsonOf } from './contract.ts';
import type { Credential } from './credentials.ts';

/** A request to the API, for the snippets and for the try-it form. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: [string, string][];
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

/** The shortest call that works: the required parameters, with the examples of the contract. */
export function exampleCall(contract: Contract, endpoint: Endpoint): Call {
  const example = contract.examplesOf(jsonOf(endpoint.body))[0];
  const valueOf = ({ required, example }: Endpoint['parameters'][number]): string => (required ? parameterText(example) : '');
  return createCall(endpoint, valueOf, example && formatJson(example.value));
}

/** The call with those parameters whose value is not empty. */
export function createCall(endpoint: Endpoint, valueOf: (parameter: Endpoint['parameters'][number]) => string, body?: string): Call {
  const { method, path, parameters } = endpoint;
  const valuesIn = (location: string): [string, string][] =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map((parameter): [string, string] => [parameter.name, valueOf(parameter)])
      .filter(([, value]) => value !== '');
  const pathParameters = Object.fromEntries(valuesIn('path'));
  return { method, path, pathParameters, query: valuesIn('query'), headers: valuesIn('header'), body };
}

/** The value of a parameter as it is written in a URL. */
export const parameterText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value ?? ''));

export function urlOf({ path, pathParameters, query }: Call): string {
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(pathParameters[name] ?? ''));
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Placeholders instead of the credential itself: copied commands end up in chats and shell histories. */
const curlCredential: Record<Credential['kind'], string | undefined> = {
  key: '-H "Authorization: Bearer $TOKEN"',
  basic: '-u "$LOGIN:$APP_PASSWORD"',
  session: '-H "Cookie: svc_session=$SESSION" -H "X-Svc-CSRF: $CSRF"',
  none: undefined,
};

export function curl(baseUrl: string, call: Call, credential: Credential['kind']): string {
  const verb = call.method === 'get' ? 'curl' : `curl -X ${call.method.toUpperCase()}`;
  const lines = [
    `${verb} ${shellQuote(baseUrl + urlOf(call))}`,
    curlCredential[credential],
    ...call.headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(call.body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellQuote(call.body)}`]),
  ];
  return lines.filter((line) => line !== undefined).join(' \\\n  ');
}

export function javascript(baseUrl: string, call: Call, credential: 'key' | 'none'): string {
  const headers = [
    ...(credential === 'none' ? [] : ['Authorization: `Bearer ${token}`']),
    ...(call.body === undefined ? [] : ["'Content-Type': 'application/json'"]),
    ...call.headers.map(([name, value]) => `'${name}': '${value}'`),
  ];
  const options = [
    ...(call.method === 'get' ? [] : [`  method: '${call.method.toUpperCase()}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(call.body === undefined ? [] : [`  body: JSON.stringify(${jsonToJavaScript(call.body).replaceAll('\n', '\n  ')}),`]),
  ];
  const argument = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const response = await fetch('${baseUrl}${urlOf(call)}'${argument});
if (!response.ok) throw new Error((await response.json()).message);
const result = await response.json();`;
}

/** The call with the package in client/, whose names are generated from the same contract. Null for an operation that a site has added. */
export function typedClient(baseUrl: string, call: Call): string | null {
  const name = typedName(call);
  if (name === null) return null;
  const query = call.query.length === 0 ? undefined : formatJson(Object.fromEntries(call.query));
  const input = call.body ?? query;
  const args = [...Object.values(call.pathParameters), ...(input === undefined ? [] : [jsonToJavaScript(input)])];
  return `import { createApi } from 'affiliate-program-client';

const api = createApi({ baseUrl: '${baseUrl}', token });
const result = await api.${name}(${args.join(', ')});`;
}

/** `coupons.get` for GET /coupons/{id}. */
function typedName({ method, path }: Call): string | null {
  const [, resource = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(path) ?? [];
  const calls: Record<string, string> = Object.entries(routes).find(([name]) => name === resource)?.[1] ?? {};
  const wanted = `${method.toUpperCase()} ${rest}`.trim();
  const found = Object.entries(calls).find(([, route]) => route.replace(/[?!]*$/, '').trim() === wanted);
  return found ? `${resource}.${found[0]}` : null;
}

/** Names without quotes where they need none, texts in single quotes. */
const jsonToJavaScript = (json: string): string =>
  json
    .replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) => `'${text.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`);
