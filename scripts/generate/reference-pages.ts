/** The pages of docs/reference/, as Markdown, from the tables that the service itself reads. */

import { fieldTable } from '../../cli/import-export/field-table.ts';
import { recordKinds } from '../../cli/import-export/record-reader.ts';
import { type ErrorCode, errorTable } from '../../domain/errors.ts';
import { operations } from '../../generated/operations.ts';
import { recordSchemas } from '../../generated/records.ts';
import { errorAdvice } from '../../site/document/error-advice.ts';
import { settingPaths } from '../../site/settings/settings.ts';

/** An HTML comment, so that the rendered page does not show it. */
const notice = (source: string): string => `<!-- Written by \`npm run generate\` from ${source}. Change that, not this page. -->\n`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |\n`;
  return line(headings) + `|${'---|'.repeat(headings.length)}\n` + rows.map(line).join('');
}

const code = (text: string): string => `\`${text}\``;

const errorIntroduction = `# Errors

Every error response has the same shape. Distinguish errors by \`code\`; the message is for people, may contain details, and may change.

\`\`\`json
{ "code": "svc_api_below_threshold", "message": "The unpaid commission is below the minimum payout.", "data": { "status": 400 } }
\`\`\`

\`data.params\` explains \`rest_invalid_param\` for each parameter. \`data.retry_after\`, in seconds, is present where waiting helps. Every response has an \`X-Request-Id\`, which is also in the operator's log.
`;

const meanings: Record<number, string> = {
  400: 'The request is not valid',
  401: 'The caller is not identified',
  403: 'The caller may not do this',
  404: 'Not found',
  409: 'Conflict with the current state',
  413: 'The body is too large',
  415: 'The media type is not supported',
  422: 'Conflict with an earlier request',
  429: 'Too many requests',
  500: 'A failure of the service',
  501: 'Not available on this install',
  502: 'A receiver failed',
  503: 'The service is overloaded',
};

const operationCodes = Object.values(operations).map(({ method, path, errorCodes }) => ({
  name: code(`${method.toUpperCase()} ${path}`),
  codes: Object.values<readonly string[]>(errorCodes).flat(),
}));

/** The operations that can return the code: all, all but up to four, or a list. */
function formatOperations(errorCode: ErrorCode): string {
  const namesOf = (has: boolean): string[] =>
    operationCodes.filter(({ codes }) => codes.includes(errorCode) === has).map(({ name }) => name);
  const without = namesOf(false);
  if (without.length === 0) return 'every operation';
  return without.length <= 4 ? `every operation but ${without.join(', ')}` : namesOf(true).join(', ');
}

/** Every error code by status. */
export function formatErrorReference(): string {
  const codes = Object.keys(errorTable) as ErrorCode[];
  const statuses = [...new Set(codes.map((name): number => errorTable[name].status))].sort((one, other) => one - other);
  const sections = statuses.map((status) => {
    const rows = codes
      .filter((name) => errorTable[name].status === status)
      .map((name) => [code(name), errorTable[name].message, errorAdvice[name], formatOperations(name)]);
    return `## ${status}: ${meanings[status]}\n\n${table(['code', 'message', 'what to do', 'operations'], rows)}`;
  });
  return [notice('domain/errors.ts, site/document/error-advice.ts and the contract'), errorIntroduction, ...sections].join('\n');
}

const settingIntroduction = `# Settings

What an operator decides about the program. Settings are stored in the database; every running process applies a change within a second.

\`\`\`bash
npx affiliate settings list                        # every path with its value
npx affiliate settings set payouts.threshold 50    # the value is JSON; a word needs no quotes
npx affiliate settings get payouts.threshold
npx affiliate settings unset payouts.threshold     # back to the default
\`\`\`

An unknown path or an invalid value is refused with a sentence that lists what is valid. How a process runs (ports, database, TLS) is set by [environment variables](../guides/run-in-production.md#environment-variables).
`;

const importIntroduction = `# Import format

\`affiliate import\` reads one JSON object per line with its \`kind\`, or CSV with a header for one kind. The bodies of \`POST /store/…\` are lists of the same records, without \`kind\` (see \`GET /openapi\` for the fields that only a file may have).

- A field that a record does not have is an error that names the closest one. All problems of a record's fields are reported at once.
- \`null\` and an empty text count as left out.
- Dates without an offset are in the store's time zone. Amounts are numbers in the store's currency.
- Importing a record again changes nothing; a changed record updates what is stored.
`;

/** The fields of every kind of record. */
export function formatImportReference(): string {
  const sections = recordKinds.map((kind) => {
    const rows = fieldTable[kind].map(({ name, required, value, description }) => [code(name), required ? 'yes' : '', value, description]);
    return `## ${kind}\n\n${recordSchemas[kind].description}\n\n${table(['field', 'required', 'value', 'meaning'], rows)}`;
  });
  return [notice('openapi/components/schemas/'), importIntroduction, ...sections].join('\n');
}

interface Group {
  title: string;
  about?: string;
  holds(path: string): boolean;
}

const under =
  (...names: string[]) =>
  (path: string): boolean =>
    names.some((name) => path === name || path.startsWith(`${name}.`));

/** A path that belongs to no group stops the generation, so that no setting is missing from the page. */
const groups: readonly Group[] = [
  { title: 'Store', holds: under('store', 'service', 'brand') },
  { title: 'Edition and add-ons', holds: under('edition', 'addons') },
  { title: 'Payouts', holds: (path) => under('payouts')(path) && !under('payouts.methods')(path) },
  { title: 'Commission', holds: under('commission', 'attribution', 'recurring', 'multi_level', 'registration') },
  { title: 'Risk', about: 'With the add-on `risk`.', holds: under('risk') },
  { title: 'Privacy', holds: under('privacy') },
  { title: 'Limits and sign-in', holds: under('limits', 'lockout', 'security') },
  { title: 'Other settings', holds: under('openapi_public', 'activity_log', 'cors', 'webhooks') },
  { title: 'Payout methods', about: 'The same three settings for every kind of method.', holds: under('payouts.methods') },
  { title: 'Switches', about: 'Each turns off an operation or a group of operations.', holds: under('switches') },
];

/** Every setting by group. */
export function formatSettingReference(): string {
  const ungrouped = settingPaths.filter(({ path }) => !groups.some(({ holds }) => holds(path)));
  if (ungrouped.length > 0)
    throw new Error(`Add ${ungrouped.map(({ path }) => path).join(', ')} to a group in scripts/generate/reference-pages.ts.`);
  const sections = groups.map(({ title, about, holds }) => {
    const rows = settingPaths
      .filter(({ path }) => holds(path))
      .map(({ path, allowed, default: byDefault, description }) => [code(path), allowed, code(JSON.stringify(byDefault)), description]);
    const introduction = about === undefined ? '' : `${about}\n\n`;
    return `## ${title}\n\n${introduction}${table(['path', 'must be', 'default', 'what it does'], rows)}`;
  });
  return [notice('site/settings/schema.ts'), settingIntroduction, ...sections].join('\n');
}
