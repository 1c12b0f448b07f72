import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A component is named by its file. The field is looked for by its name, from the outside in; without a field it is the file. */
export function placeOfSchema(name: string, fields: readonly string[] = []): string | undefined {
  const file = `openapi/components/schemas/${name}.yaml`;
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  let found = { line: 0, column: 0 };
  for (const field of fields) {
    const line = lines.findIndex((text, index) => index >= found.line && keyIn(text, field) >= 0);
    if (line < 0) break;
    found = { line, column: keyIn(lines[line] ?? '', field) };
  }
  return `${file}:${found.line + 1}:${found.column + 1}`;
}

/** Where the operation of that name stands, if there is one. */
export function placeOfOperation(operationId: string): string | undefined {
  for (const name of readdirSync('openapi/paths')) {
    const file = `openapi/paths/${name}`;
    const lines = file.endsWith('.yaml') ? readFileSync(file, 'utf8').split('\n') : [];
    const line = lines.findIndex((text) => text.trim() === `operationId: ${operationId}`);
    if (line >= 0) return `${file}:${line + 1}:${(lines[line] ?? '').indexOf('operationId') + 1}`;
  }
  return undefined;
}

const keyIn = (text: string, key: string): number => {
  const indent = text.length - text.trimStart().length;
  return text.startsWith(`${key}:`, indent) ? indent : -1;
};
