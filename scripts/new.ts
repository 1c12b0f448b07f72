/** `npm run new -- get /coupons/{id}/notes`: writes a new operation that passes lint and the compiler at once. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathFileName } from './contract/pointer.ts';
import { runCommand, UsageError } from './shared/usage.ts';

const help = `npm run new -- <get|post|patch|delete> <path>

Writes a new operation: a file in openapi/paths/, its line in openapi.yaml, a schema, an example and a handler that returns the example.
Lint, generate and the types pass at once; then edit what was written.

Example
  npm run new -- get /coupons/{id}/notes`;

interface NewOperation {
  method: string;
  path: string;
  /** `get_coupons_id_notes` */
  id: string;
  tag: string;
  /** `CouponsNotes` */
  schema: string;
  /** `coupons-notes` */
  example: string;
  /** Files in openapi/components/parameters/. */
  parameters: string[];
}

const root = 'openapi/openapi.yaml';
const read = (file: string): string => readFileSync(file, 'utf8');

function readOperation(): NewOperation | 'help' {
  const [method = '', route = ''] = process.argv.slice(2);
  if (method === '--help') return 'help';
  if (!['get', 'post', 'patch', 'delete'].includes(method)) throw new UsageError('The method must be get, post, patch or delete.');
  if (!/^(\/([a-z][a-z-]*|\{[a-z_]+\}))+$/.test(route)) throw new UsageError('The path must look like /coupons/{id}/notes.');
  const segments = route.split('/').filter(Boolean);
  const words = segments.filter((segment) => !segment.startsWith('{'));
  const [tag = ''] = words;
  const tags = [...read(root).matchAll(/^ {2}- name: (\w+)$/gm)].map(([, name]) => name);
  if (!tags.includes(tag)) throw new UsageError(`There is no tag ${tag}. Add it to tags in ${root}, or use one of ${tags.join(', ')}.`);
  const id = [method, ...segments.map((segment) => segment.replace(/[{}]/g, ''))].join('_').replaceAll('-', '_');
  if (existsSync(pathFile(route)) && new RegExp(`^${method}:`, 'm').test(read(pathFile(route))))
    throw new UsageError(`${method.toUpperCase()} ${route} exists already, in ${pathFile(route)}.`);
  const name = [...(method === 'get' ? [] : [method]), ...words].join('-');
  const schema = name.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
  return { method, path: route, id, tag, schema, example: name, parameters: findParameters(segments) };
}

const pathFile = (route: string): string => path.join('openapi', pathFileName(route));

/** Those that the path up to the placeholder has already: `/coupons/{id}` has CouponId. */
function findParameters(segments: readonly string[]): string[] {
  return segments.flatMap((segment, at) => {
    if (!segment.startsWith('{')) return [];
    const parent = `/${segments.slice(0, at + 1).join('/')}`;
    const names = existsSync(pathFile(parent)) ? [...read(pathFile(parent)).matchAll(/parameters\/(\w+Id)\.yaml/g)] : [];
    const found = names.map(([, name = '']) => name).find((name) => isPathParameter(name, segment.slice(1, -1)));
    if (!found) throw new UsageError(`No operation has the path ${parent} yet. Create it first, with its parameter.`);
    return [found];
  });
}

const isPathParameter = (name: string, placeholder: string): boolean =>
  /^in: path$/m.test(read(`openapi/components/parameters/${name}.yaml`)) &&
  new RegExp(`^name: ${placeholder}$`, 'm').test(read(`openapi/components/parameters/${name}.yaml`));

const errors = ['400 BadRequest', '401 Unauthorized', '403 Forbidden', '404 NotFound', '429 TooManyRequests', '500 ServerError'];

/** Set on every success. */
const serverHeaders = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'X-Svc-Ignored'];

const parameterLines = (names: readonly string[]): string =>
  names.length === 0 ? '' : `  parameters:\n${names.map((name) => `    - $ref: ../components/parameters/${name}.yaml\n`).join('')}`;

const operationText = ({ method, path: route, id, tag, schema, example, parameters }: NewOperation): string => `${method}:
  operationId: ${id}
  tags: [${tag}]
  summary: ${method === 'get' ? 'Read' : 'Change'} ${path.basename(route).replace(/[{}]/g, '')}
  description: What the caller could not guess.
  x-access: [admin]
  x-scope: ${method === 'get' ? 'read' : 'write'}
${method === 'get' ? '' : '  x-dry-run: true\n'}  security: [{ bearerApiKey: [] }, { basicAppPassword: [] }]
${parameterLines(parameters)}  responses:
    '200':
      description: The response.
      headers:
${serverHeaders.map((name) => `        ${name}: { $ref: ../components/headers/${name}.yaml }\n`).join('')}      content:
        application/json:
          schema: { $ref: ../components/schemas/${schema}.yaml }
          examples:
            example: { $ref: ../components/examples/${example}.yaml }
${[...errors, '503 Overloaded']
  .map((error) => error.split(' '))
  .filter(([status]) => status !== '404' || parameters.length > 0)
  .map(([status, name]) => `    '${status}': { $ref: ../components/responses/${name}.yaml }\n`)
  .join('')}`;

const schemaText = `description: What the response holds.
type: object
additionalProperties: false
required: [text]
properties:
  text: { type: string, description: What the field holds., examples: [An example] }
`;

function writeContract(operation: NewOperation): string[] {
  const file = pathFile(operation.path);
  const isNewPath = !existsSync(file);
  writeFileSync(file, (isNewPath ? '' : read(file)) + operationText(operation));
  if (isNewPath) writeFileSync(root, addPath(read(root), operation.path));
  const schema = `openapi/components/schemas/${operation.schema}.yaml`;
  const example = `openapi/components/examples/${operation.example}.yaml`;
  writeFileSync(schema, schemaText);
  writeFileSync(example, 'summary: An example\nvalue: { text: An example }\n');
  return [file, ...(isNewPath ? [root] : []), schema, example];
}

/** After the last path that begins with the same segment, or after all others. */
function addPath(document: string, route: string): string {
  const lines = document.split('\n');
  const isPath = (line: string): boolean => /^ {2}\/\S*: \{ \$ref: paths\//.test(line);
  const first = route.split('/')[1] ?? '';
  const alike = lines.findLastIndex((line) => isPath(line) && line.startsWith(`  /${first}`));
  const at = alike >= 0 ? alike : lines.findLastIndex(isPath);
  return lines.toSpliced(at + 1, 0, `  ${route}: { $ref: ${pathFileName(route)} }`).join('\n');
}

/** Beside the handlers of the same tag, or in a file of its own. */
function writeHandler({ id, tag }: NewOperation): string[] {
  const index = 'handlers/index.ts';
  const file = `handlers/${tag}.ts`;
  const text = `export const ${id}: OperationHandler<'${id}'> = async () => ({ status: 200, body: { text: 'An example' } });\n`;
  writeFileSync(file, existsSync(file) ? `${read(file)}\n${text}` : `import type { OperationHandler } from './context.ts';\n\n${text}`);
  const importing = `import { ${id} } from './${tag}.ts';\n`;
  writeFileSync(index, importing + read(index).replace(/(export const handlers[^{]*\{\n)/, `$1  ${id},\n`));
  return [file, index];
}

const runTool = (...args: string[]): void => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${args.join(' ')} failed.`);
};

await runCommand(help, readOperation, async (operation) => {
  const written = [...writeContract(operation), ...writeHandler(operation)];
  runTool('--import', 'tsx', 'scripts/generate.ts');
  runTool('--import', 'tsx', 'scripts/generate/references.ts');
  runTool('node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--log-level=error', 'handlers');
  console.log(`${operation.id} is written:\n${written.map((file) => `  ${file}`).join('\n')}`);
});
