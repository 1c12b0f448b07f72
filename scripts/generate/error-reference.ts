import { errorAdvice } from '../../domain/error-advice.ts';
import { type ErrorCode, errorTable } from '../../domain/errors.ts';
import { operations } from '../../generated/operations.ts';
import { code, notice, table } from './markdown.ts';

const introduction = `# Errors

Every error is answered in one shape. Tell errors apart by \`code\`; the message is for people, may name particulars, and may change.

\`\`\`json
{ "code": "svc_api_below_threshold", "message": "The unpaid commission is below the minimum payout.", "data": { "status": 400 } }
\`\`\`

\`data.params\` explains \`rest_invalid_param\`, parameter by parameter. \`data.retry_after\`, in seconds, is there where waiting helps. Every answer has an \`X-Request-Id\`, which the operator finds in the log.
`;

const meanings: Record<number, string> = {
  400: 'The request cannot be done as it is',
  401: 'Who is calling is not clear',
  403: 'The caller may not do this',
  404: 'It is not there',
  409: 'It does not fit what is there now',
  413: 'Too much',
  415: 'An unknown kind of body',
  422: 'It contradicts an earlier request',
  429: 'Too often',
  500: 'A failure of the service',
  501: 'Not available on this install',
  502: 'A receiver failed',
  503: 'Too much to do',
};

interface Place {
  name: string;
  codes: ReadonlySet<string>;
}

const places: readonly Place[] = Object.values(operations).map(({ method, path, errorCodes }) => ({
  name: `${method.toUpperCase()} ${path}`,
  codes: new Set<string>(Object.values<readonly string[]>(errorCodes).flat()),
}));

/** The operations that can answer so: all of them, all but a few, or these. */
function where(name: string): string {
  const [having, lacking] = [true, false].map((has) =>
    places.filter(({ codes }) => codes.has(name) === has).map((place) => code(place.name)),
  );
  if (lacking?.length === 0) return 'every operation';
  return (lacking ?? []).length <= 4 ? `every operation but ${lacking?.join(', ')}` : (having ?? []).join(', ');
}

function section(status: number, codes: readonly ErrorCode[]): string {
  const rows = codes.map((name) => [code(name), errorTable[name].message, errorAdvice[name], where(name)]);
  return `## ${status}: ${meanings[status]}\n\n${table(['code', 'says', 'what to do', 'who answers so'], rows)}`;
}

/** Every error code by status, from the code's own table and the contract. */
export function formatErrorReference(): string {
  const codes = Object.keys(errorTable) as ErrorCode[];
  const statuses = [...new Set(codes.map((name): number => errorTable[name].status))].sort((one, other) => one - other);
  const sections = statuses.map((status) =>
    section(
      status,
      codes.filter((name) => errorTable[name].status === status),
    ),
  );
  return [notice('domain/errors.ts, domain/error-advice.ts and the contract'), introduction, ...sections].join('\n');
}
