export const generatedNotice = '// Generated from openapi/ by `npm run generate`. Do not edit: change the YAML and generate again.\n';

const lineWidth = 140;

/** A value as TypeScript source: on one line where it fits, else a line for each part. */
function literal(value: unknown, indent: string): string {
  const short = oneLine(value);
  if (indent.length + short.length <= lineWidth || typeof value !== 'object' || value === null) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((item) => `${inner}${literal(item, inner)},\n`).join('')}${indent}]`;
  const lines = Object.entries(value).map(([key, item]) => `${inner}${name(key)}: ${literal(item, inner)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${name(key)}: ${oneLine(item)}`);
  return entries.length > 0 ? `{ ${entries.join(', ')} }` : '{}';
}

const name = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key));

function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return `'${escaped.replaceAll("'", "\\'")}'`;
}

/** `export const x = … as const;` */
export const formatConstant = (identifier: string, value: unknown): string =>
  `export const ${identifier} = ${literal(value, '')} as const;\n`;
