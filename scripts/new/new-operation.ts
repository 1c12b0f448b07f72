import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathFileName } from '../contract/pointer.ts';
import { UsageError } from '../shared/usage.ts';

export interface NewOperation {
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
  /** The lines of a neighbour that say where it exists: under `/payouts` lint wants edition, add-on and switch group. */
  availability: string[];
  /** The neighbour answers 501 without its add-on. */
  isUnavailableWithout: boolean;
}

/** In the order in which lint wants them in a file. */
export const verbs = ['get', 'post', 'put', 'patch', 'delete'];

const root = 'openapi/openapi.yaml';

/** The checkout whose files are read and written. */
export class Checkout {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  exists = (file: string): boolean => existsSync(path.join(this.#folder, file));
  read = (file: string): string => readFileSync(path.join(this.#folder, file), 'utf8');
  write = (file: string, text: string): void => writeFileSync(path.join(this.#folder, file), text);

  /** The paths of the contract with their files, in its order. */
  listPaths(): { route: string; file: string }[] {
    return [...this.read(root).matchAll(/^ {2}(\/\S*): \{ \$ref: (paths\/\S+) \}$/gm)].map(([, route = '', file = '']) => ({
      route,
      file: path.posix.join('openapi', file),
    }));
  }

  /** Returns a function that makes these files and folders what they are now. */
  snapshot(...places: string[]): () => void {
    const isFile = (file: string): boolean => statSync(file).isFile();
    const listFiles = (): string[] =>
      places
        .map((place) => path.join(this.#folder, place))
        .flatMap((place) =>
          isFile(place) ? place : readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => path.join(place, name)),
        )
        .filter(isFile);
    const before = new Map(listFiles().map((file) => [file, readFileSync(file, 'utf8')]));
    return () => {
      for (const file of listFiles()) if (!before.has(file)) rmSync(file);
      for (const [file, text] of before) if (readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
    };
  }
}

/** @throws UsageError with a sentence that says what to do. */
export function describeNewOperation(method: string, route: string, checkout: Checkout): NewOperation {
  if (!verbs.includes(method)) throw new UsageError(`The method must be ${verbs.join(', ')}.`);
  if (!/^(\/([a-z]+(-[a-z]+)*|\{[a-z]+(_[a-z]+)*\}))+$/.test(route)) throw new UsageError('The path must look like /coupons/{id}/notes.');
  const paths = checkout.listPaths();
  const segments = route.split('/').filter(Boolean);
  const file = path.posix.join('openapi', pathFileName(route));
  const shape = (one: string): string => one.replace(/\{\w+\}/g, '{}');
  const alike = paths.find((one) => one.route !== route && (shape(one.route) === shape(route) || one.file === file));
  if (alike) throw new UsageError(`${alike.route} takes that place, in ${alike.file}. Add to it, or choose another path.`);
  if (checkout.exists(file) && new RegExp(`^${method}:`, 'm').test(checkout.read(file)))
    throw new UsageError(`${method.toUpperCase()} ${route} exists already, in ${file}.`);
  const neighbour = paths.find((one) => one.route.split('/')[1] === segments[0]);
  const beside = neighbour ? checkout.read(neighbour.file) : '';
  const id = [method, ...segments].join('_').replace(/[{}]/g, '').replaceAll('-', '_');
  return {
    method,
    path: route,
    id,
    tag: findTag(segments[0] ?? '', beside, checkout),
    ...nameFiles(method, segments, id, checkout),
    parameters: findParameters(segments, paths, checkout),
    availability: [...new Set(beside.match(/^ {2}x-(edition|add-ons|switch-group): .*$/gm))],
    isUnavailableWithout: beside.includes("'501':"),
  };
}

function findTag(segment: string, beside: string, checkout: Checkout): string {
  const tags = [...checkout.read(root).matchAll(/^ {2}- name: (\w+)$/gm)].map(([, name = '']) => name);
  const tag = /^ {2}tags: \[(\w+)\]$/m.exec(beside)?.[1] ?? segment;
  if (tags.includes(tag)) return tag;
  throw new UsageError(`There is no tag ${tag}. Add it to tags in ${root}, or use one of ${tags.join(', ')}.`);
}

const schemaFile = (schema: string): string => `openapi/components/schemas/${schema}.yaml`;
const exampleFile = (example: string): string => `openapi/components/examples/${example}.yaml`;

/** After the words of the path; where such files exist, after all of its segments. */
function nameFiles(method: string, segments: readonly string[], id: string, checkout: Checkout): { schema: string; example: string } {
  const words = [...(method === 'get' ? [] : [method]), ...segments.filter((segment) => !segment.startsWith('{'))].join('-');
  for (const example of [words, id.replaceAll('_', '-')]) {
    const schema = example.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());
    if (!checkout.exists(schemaFile(schema)) && !checkout.exists(exampleFile(example))) return { schema, example };
  }
  throw new UsageError(`${exampleFile(id.replaceAll('_', '-'))} or its schema exists already. Rename it, or choose another path.`);
}

/** Those that a path up to the placeholder has already: `/coupons/{id}` has CouponId. */
function findParameters(segments: readonly string[], paths: ReturnType<Checkout['listPaths']>, checkout: Checkout): string[] {
  return segments.flatMap((segment, at) => {
    if (!segment.startsWith('{')) return [];
    const parent = `/${segments.slice(0, at + 1).join('/')}`;
    const below = paths.filter(({ route }) => route === parent || route.startsWith(`${parent}/`));
    const names = below.flatMap(({ file }) => [...checkout.read(file).matchAll(/parameters\/(\w+)\.yaml/g)].map(([, name = '']) => name));
    const found = names.find((name) => {
      const text = checkout.read(`openapi/components/parameters/${name}.yaml`);
      return /^in: path$/m.test(text) && new RegExp(`^name: ${segment.slice(1, -1)}$`, 'm').test(text);
    });
    if (!found) throw new UsageError(`No operation has the path ${parent} yet. Create it first, with its parameter.`);
    return [found];
  });
}

const errors = ['400 BadRequest', '401 Unauthorized', '403 Forbidden', '404 NotFound', '429 TooManyRequests', '500 ServerError'];

/** Set on every success. */
const serverHeaders = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'X-Svc-Ignored'];

const parameterLines = (names: readonly string[]): string =>
  names.length === 0 ? '' : `  parameters:\n${names.map((name) => `    - $ref: ../components/parameters/${name}.yaml\n`).join('')}`;

const operationText = ({
  method,
  path: route,
  id,
  tag,
  schema,
  example,
  parameters,
  availability,
  isUnavailableWithout,
}: NewOperation): string => `${method}:
  operationId: ${id}
  tags: [${tag}]
  summary: ${method === 'get' ? 'Read' : 'Change'} ${path.basename(route).replace(/[{}]/g, '')}
  description: What the caller could not guess.
${availability.map((line) => `${line}\n`).join('')}  x-access: [admin]
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
${[...errors, ...(isUnavailableWithout ? ['501 Unavailable'] : []), '503 Overloaded']
  .map((error) => error.split(' '))
  .map(([status, name]) => `    '${status}': { $ref: ../components/responses/${name}.yaml }\n`)
  .join('')}`;

const schemaText = `description: What the response holds.
type: object
additionalProperties: false
required: [text]
properties:
  text: { type: string, description: What the field holds., examples: [An example] }
`;

/** Returns the files that were written or changed. */
export function writeOperation(operation: NewOperation, checkout: Checkout): string[] {
  const file = path.posix.join('openapi', pathFileName(operation.path));
  const isNewPath = !checkout.exists(file);
  checkout.write(file, isNewPath ? operationText(operation) : insertVerb(checkout.read(file), operation));
  if (isNewPath) checkout.write(root, addPath(checkout.read(root), operation.path));
  checkout.write(schemaFile(operation.schema), schemaText);
  checkout.write(exampleFile(operation.example), 'summary: An example\nvalue: { text: An example }\n');
  const handlers = writeHandler(operation, checkout);
  return [file, ...(isNewPath ? [root] : []), schemaFile(operation.schema), exampleFile(operation.example), ...handlers];
}

/** Before the first verb that comes later. */
function insertVerb(text: string, operation: NewOperation): string {
  const later = verbs.slice(verbs.indexOf(operation.method) + 1);
  const at = text.search(new RegExp(`^(${later.join('|') || '(?!)'}):`, 'm'));
  return at < 0 ? text + operationText(operation) : text.slice(0, at) + operationText(operation) + text.slice(at);
}

/** After the last path that begins with the same segment, or after all others. */
function addPath(document: string, route: string): string {
  const lines = document.split('\n');
  const isPath = (line: string): boolean => /^ {2}\/\S*: \{ \$ref: paths\//.test(line);
  const first = route.split('/')[1] ?? '';
  const alike = lines.findLastIndex((line) => isPath(line) && new RegExp(`^ {2}/${first}[/:]`).test(line));
  const at = alike >= 0 ? alike : lines.findLastIndex(isPath);
  return lines.toSpliced(at + 1, 0, `  ${route}: { $ref: ${pathFileName(route)} }`).join('\n');
}

/** Beside the handlers of the same tag, or in a file of its own. */
function writeHandler({ id, tag }: NewOperation, { exists, read, write }: Checkout): string[] {
  const index = 'handlers/index.ts';
  const file = `handlers/${tag}.ts`;
  const text = `export const ${id}: OperationHandler<'${id}'> = async () => ({ status: 200, body: { text: 'An example' } });\n`;
  write(file, exists(file) ? `${read(file)}\n${text}` : `import type { OperationHandler } from './context.ts';\n\n${text}`);
  const importing = `import { ${id} } from './${tag}.ts';\n`;
  write(index, importing + read(index).replace(/(export const handlers[^{]*\{\n)/, `$1  ${id},\n`));
  return [file, index];
}
