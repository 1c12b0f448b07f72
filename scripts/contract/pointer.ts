import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ContractDocument, type OperationObject, resolveReference } from './document.ts';

/** `#/paths/~1coupons/get` → `['paths', '/coupons', 'get']`. */
const keysOf = (pointer: string): string[] =>
  pointer
    .replace(/^#\/?/, '')
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** As openapi/STYLE.md names them: the operationId without the verb. */
export const pathFileName = (route: string): string => `paths/${route.split('/').filter(Boolean).join('_').replace(/[{}]/g, '')}.yaml`;
export const webhookFileName = (event: string): string => `webhooks/${event.replaceAll('.', '_')}.yaml`;

/** A pointer into a bundle for people: `GET /coupons › response 200 › headers › X-Svc-Total`. */
export function describePointer(pointer: string, contract: ContractDocument): string {
  const [section = '', name = '', ...keys] = keysOf(pointer);
  const [method = '', ...inside] = keys;
  if (section === 'paths')
    return [`${method.toUpperCase()} ${name}`.trim(), ...describeKeys(inside, contract.paths[name]?.[method], contract)].join(' › ');
  if (section === 'webhooks') return [`webhook ${name}`, ...describeKeys(inside, contract.webhooks[name]?.post, contract)].join(' › ');
  return [section, name, ...keys].filter(Boolean).join(' › ');
}

/** Omits the keys that only express OpenAPI's nesting. A parameter is shown by its name, not by its index. */
function describeKeys(keys: string[], operation: object | string | undefined, contract: ContractDocument): string[] {
  const [first, second, ...rest] = keys;
  if (first === undefined) return [];
  const further = (from: string[]) => describeKeys(from, operation, contract);
  if (first === 'parameters' && second !== undefined) {
    const found = (operation as OperationObject | undefined)?.parameters?.[Number(second)];
    return [`parameter ${found ? resolveReference(contract, found).name : second}`, ...further(rest)];
  }
  if (first === 'responses' && second !== undefined) return [`response ${second}`, ...further(rest)];
  if (first === 'properties' && second !== undefined) return [second, ...further(rest)];
  if (first === 'requestBody') return ['body', ...further(keys.slice(1))];
  return [...(['content', 'schema'].includes(first) ? [] : [first]), ...further(keys.slice(1))];
}

/** The YAML file, relative to openapi/, that a pointer into the bundle comes from, and the keys inside that file. */
export function findSource(pointer: string): { file: string; keys: string[] } {
  const keys = keysOf(pointer);
  const [section = '', name = '', ...rest] = keys;
  if (section === 'paths' && rest.length > 0) return { file: pathFileName(name), keys: rest };
  if (section === 'webhooks' && rest.length > 0) return { file: webhookFileName(name), keys: rest };
  const [component, ...within] = rest;
  const isInFile = section === 'components' && name !== 'securitySchemes' && component !== undefined;
  return isInFile ? { file: `components/${name}/${component}.yaml`, keys: within } : { file: 'openapi.yaml', keys };
}

/** `openapi/paths/coupons.yaml:12`, where an operation has these keys; line 1 of a contract that is not on the disk. */
export function formatSource(route: string, ...keys: string[]): string {
  const file = path.join('openapi', pathFileName(route));
  return `${file}:${existsSync(file) ? findPosition(readFileSync(file, 'utf8'), keys).line : 1}`;
}

/** Where a YAML text has these keys, counted from 1. A key that is missing or inside braces is found at the last key that leads to it. */
export function findPosition(text: string, keys: readonly string[]): { line: number; column: number } {
  const lines = text.split('\n');
  let line = 0;
  let block = { from: 0, indent: 0 };
  for (const key of keys) {
    const found = findKey(lines, key, block);
    if (found === undefined) break;
    line = found;
    block = { from: found + 1, indent: indentOf(lines[found + 1] ?? '') };
    if (block.indent <= indentOf(lines[found] ?? '')) break;
  }
  return { line: line + 1, column: indentOf(lines[line] ?? '') + 1 };
}

function findKey(lines: readonly string[], key: string, { from, indent }: { from: number; indent: number }): number | undefined {
  for (const [at, line] of lines.entries()) {
    if (at < from || line.trim() === '') continue;
    if (indentOf(line) < indent) return undefined;
    if (indentOf(line) === indent && /^\s*(['"]?)(.*?)\1:(\s|$)/.exec(line)?.[2] === key) return at;
  }
  return undefined;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
