export const generatedNotice = '// Generated from openapi/ by `npm run generate`. Do not edit: change the YAML and generate again.\n';

const lineWidth = 140;

/** A value as TypeScript source: on one line if it fits, otherwise one line for each member. */
function formatLiteral(value: unknown, indent: string): string {
  const short = formatInline(value);
  if (indent.length + short.length <= lineWidth || typeof value !== 'object' || value === null) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((item) => `${inner}${formatLiteral(item, inner)},\n`).join('')}${indent}]`;
  const lines = Object.entries(value).map(([key, item]) => `${inner}${name(key)}: ${formatLiteral(item, inner)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function formatInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatInline).join(', ')}]`;
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${name(key)}: ${formatInline(item)}`);
  return entries.length > 0 ? `{ ${entries.join(', ')} }` : '{}';
}

const name = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key));

function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return `'${escaped.replaceAll("'", "\\'")}'`;
}

/** `export const x = … as const;` */
export const formatConstant = (identifier: string, value: unknown): string =>
  `export const ${identifier} = ${formatLiteral(value, '')} as const;\n`;
