import { routes } from '../../generated/client.ts';
import { type Call, exampleCall, isStream, urlOf } from './call.ts';
import { codeBlock, type Language } from './code-block.ts';
import type { Contract, Endpoint } from './contract.ts';
import { currentCredential, onCredentialChange } from './credentials.ts';
import { h, replaceContent } from './dom.ts';
import { tabs } from './tabs.ts';

/** What a sample reads from its environment. Never the credential itself: copied commands end up in chats and shell histories. */
type Placeholder = 'key' | 'basic' | 'none';

type Sample = (url: string, call: Call, credential: Placeholder) => string;

const languages: [title: string, language: Language, sample: Sample][] = [
  ['curl', 'shell', curlSample],
  ['JavaScript', 'javascript', javascriptSample],
  ['Python', 'python', pythonSample],
  ['PHP', 'php', phpSample],
];

/** The same call in several languages. `show` replaces the call by the one that the form holds. */
export function samples(contract: Contract, endpoint: Endpoint): { element: HTMLElement; show(call: Call): void } {
  let call = exampleCall(contract, endpoint);
  const name = endpoint.operation.summary ?? endpoint.id;
  const isPublic = (endpoint.operation.security ?? []).some((scheme) => Object.keys(scheme).length === 0);
  const placeholder = (): Placeholder => {
    const { kind } = currentCredential();
    return kind === 'basic' ? 'basic' : isPublic && kind === 'none' ? 'none' : 'key';
  };
  const updates: (() => void)[] = [];
  const update = (): void => updates.forEach((each) => each());
  const tab = (title: string, language: Language, text: () => string) => ({
    name: title,
    content: () => {
      const panel = h('div');
      const write = (): void => replaceContent(panel, codeBlock(text(), language, `${name}, ${title}`));
      updates.push(write);
      write();
      return panel;
    },
  });
  const offered = isStream(endpoint) ? languages.slice(0, 1) : languages;
  const entries = offered.map(([title, language, sample]) =>
    tab(title, language, () => sample(contract.baseUrl + urlOf(call), call, placeholder())),
  );
  if (typedName(call) !== null) entries.push(tab('Typed client', 'javascript', () => typedSample(contract.baseUrl, call)));
  onCredentialChange(update);
  return {
    element: tabs(`Calls of ${name}`, entries, { syncKey: 'samples' }),
    show(next) {
      call = next;
      update();
    },
  };
}

export const curl = ({ baseUrl }: Contract, call: Call): string => curlSample(baseUrl + urlOf(call), call, 'key');

const contentType = ['Content-Type', 'application/json'] as const;

const headersOf = ({ headers, body }: Call): (readonly [string, string])[] => [...headers, ...(body === undefined ? [] : [contentType])];

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curlSample(url: string, call: Call, credential: Placeholder): string {
  const credentials = { key: '-H "Authorization: Bearer $TOKEN"', basic: '-u "$LOGIN:$APP_PASSWORD"', none: undefined };
  const lines = [
    `${call.method === 'get' ? (call.isStream ? 'curl -N' : 'curl') : `curl -X ${call.method.toUpperCase()}`} ${shellQuote(url)}`,
    credentials[credential],
    ...headersOf(call).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    call.body === undefined ? undefined : `-d ${shellQuote(call.body)}`,
  ];
  return lines.filter((line) => line !== undefined).join(' \\\n  ');
}

/** How a language writes JSON. */
interface Syntax {
  readonly object: readonly [open: string, close: string, empty: string];
  readonly words: Readonly<Record<string, string>>;
  readonly indent: string;
  key(name: string): string;
  string(text: string): string;
}

/** Single quotes, with the escapes of JSON. */
const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const javascriptSyntax: Syntax = {
  object: ['{', '}', '{}'],
  words: {},
  indent: '  ',
  key: (name) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)}: `,
  string: quoted,
};

const pythonSyntax: Syntax = {
  object: ['{', '}', '{}'],
  words: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
  key: (name) => `${quoted(name)}: `,
  string: quoted,
};

const phpString = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const phpSyntax: Syntax = {
  object: ['[', ']', 'new stdClass()'],
  words: {},
  indent: '    ',
  key: (name) => `${phpString(name)} => `,
  string: phpString,
};

/** A JSON value as the language writes it. `level` is the indentation of the line it starts on. */
function literal(value: unknown, syntax: Syntax, level: number): string {
  if (typeof value === 'string') return syntax.string(value);
  if (typeof value !== 'object' || value === null) return syntax.words[String(value)] ?? String(value);
  const [open, close, empty] = Array.isArray(value) ? ['[', ']', '[]'] : syntax.object;
  const parts = Object.entries(value).map(
    ([key, child]) => (Array.isArray(value) ? '' : syntax.key(key)) + literal(child, syntax, level + 1),
  );
  if (parts.length === 0) return empty;
  if (Array.isArray(value) && !parts.some((part) => part.includes('\n'))) return `[${parts.join(', ')}]`;
  const pad = syntax.indent.repeat(level);
  return `${open}\n${parts.map((part) => `${pad}${syntax.indent}${part},\n`).join('')}${pad}${close}`;
}

const bodyLiteral = ({ body }: Call, syntax: Syntax, level: number): string | undefined =>
  body === undefined ? undefined : literal(JSON.parse(body), syntax, level);

/** The lines of a call, without those that are undefined. */
const lines = (...all: (string | undefined)[]): string => all.filter((line) => line !== undefined).join('\n');

function javascriptSample(url: string, call: Call, credential: Placeholder): string {
  const authorization = {
    key: 'Authorization: `Bearer ${process.env.TOKEN}`',
    basic: 'Authorization: `Basic ${btoa(`${process.env.LOGIN}:${process.env.APP_PASSWORD}`)}`',
    none: undefined,
  }[credential];
  const headers = [authorization, ...headersOf(call).map(([name, value]) => javascriptSyntax.key(name) + quoted(value))].filter(Boolean);
  const body = bodyLiteral(call, javascriptSyntax, 1);
  const options = [
    call.method === 'get' ? undefined : `  method: '${call.method.toUpperCase()}',`,
    headers.length === 0 ? undefined : `  headers: {\n${headers.map((header) => `    ${header},\n`).join('')}  },`,
    body === undefined ? undefined : `  body: JSON.stringify(${body}),`,
  ].filter((line) => line !== undefined);
  const argument = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const response = await fetch(${quoted(url)}${argument});
const result = await response.json();
if (!response.ok) throw new Error(result.message);
console.log(result);`;
}

/** The standard library alone. */
function pythonSample(url: string, call: Call, credential: Placeholder): string {
  const authorization = {
    key: "'Authorization': 'Bearer ' + os.environ['TOKEN']",
    basic: "'Authorization': 'Basic ' + b64encode(f'{os.environ[\"LOGIN\"]}:{os.environ[\"APP_PASSWORD\"]}'.encode()).decode()",
    none: undefined,
  }[credential];
  const headers = [authorization, ...headersOf(call).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`)].filter(Boolean);
  const body = bodyLiteral(call, pythonSyntax, 1);
  return lines(
    credential === 'none' ? 'import json' : 'import json\nimport os',
    credential === 'basic' ? 'from base64 import b64encode' : undefined,
    'from urllib.request import Request, urlopen\n',
    headers.length === 0 ? undefined : `headers = {\n${headers.map((header) => `    ${header},\n`).join('')}}`,
    'request = Request(',
    `    ${quoted(url)},`,
    call.method === 'get' ? undefined : `    method='${call.method.toUpperCase()}',`,
    headers.length === 0 ? undefined : '    headers=headers,',
    body === undefined ? undefined : `    data=json.dumps(${body}).encode(),`,
    ')',
    'with urlopen(request) as response:',
    '    print(json.load(response))',
  );
}

function phpSample(url: string, call: Call, credential: Placeholder): string {
  const authorization = { key: "'Authorization: Bearer ' . getenv('TOKEN')", basic: undefined, none: undefined }[credential];
  const headers = [authorization, ...headersOf(call).map(([name, value]) => phpString(`${name}: ${value}`))].filter(Boolean);
  const body = bodyLiteral(call, phpSyntax, 1);
  return lines(
    '<?php',
    `$curl = curl_init(${phpString(url)});`,
    'curl_setopt_array($curl, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    call.method === 'get' ? undefined : `    CURLOPT_CUSTOMREQUEST => '${call.method.toUpperCase()}',`,
    credential === 'basic' ? "    CURLOPT_USERPWD => getenv('LOGIN') . ':' . getenv('APP_PASSWORD')," : undefined,
    headers.length === 0 ? undefined : `    CURLOPT_HTTPHEADER => [\n${headers.map((header) => `        ${header},\n`).join('')}    ],`,
    body === undefined ? undefined : `    CURLOPT_POSTFIELDS => json_encode(${body}),`,
    ']);',
    '$result = json_decode(curl_exec($curl), true);',
    'if (curl_getinfo($curl, CURLINFO_HTTP_CODE) >= 400) {',
    "    throw new Exception($result['message']);",
    '}',
    'print_r($result);',
  );
}

/** The call with the package in client/, whose names are generated from the same contract. */
function typedSample(baseUrl: string, call: Call): string {
  const query = call.query.length === 0 ? undefined : literal(Object.fromEntries(call.query), javascriptSyntax, 0);
  const ids = Object.values(call.pathParameters).map((id) => (/^\d+$/.test(id) ? id : quoted(id)));
  const args = [...ids, query, bodyLiteral(call, javascriptSyntax, 0)].filter((part) => part !== undefined);
  return `import { createApi } from 'affiliate-program-client';

const api = createApi({ baseUrl: '${baseUrl}', token: process.env.TOKEN });
const result = await api.${typedName(call)}(${args.join(', ')});`;
}

/** `coupons.get` for GET /coupons/{id}. Null for an operation that a site has added. */
function typedName({ method, path }: Call): string | null {
  const [, segment = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(path) ?? [];
  // `payoutRuns` for `payout-runs`.
  const resource = segment.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const calls: Record<string, string> = Object.entries(routes).find(([name]) => name === resource)?.[1] ?? {};
  const wanted = `${method.toUpperCase()} ${rest}`.trim();
  const found = Object.entries(calls).find(([, route]) => route.replace(/[?+!]*(?:#.*)?$/, '').trim() === wanted);
  return found ? `${resource}.${found[0]}` : null;
}
