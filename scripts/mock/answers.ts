import { errorTable } from '../../domain/errors.ts';
import { jsonMediaType, type MediaType, type Operation, type Response } from '../../server/contract/document.ts';
import { declaredCodes } from '../../server/contract/responses.ts';

/** One thing an operation can answer: a status and a named example. */
export interface Answer {
  readonly status: number;
  readonly name: string;
  readonly body: unknown;
}

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** In the order of their statuses; the examples of a status in the order of the contract, then the codes that have no example. */
export function answersOf(operation: Operation): Answer[] {
  const statuses = Object.keys(operation.responses)
    .map(Number)
    .toSorted((a, b) => a - b);
  return statuses.flatMap((status) => {
    const written = examplesOf(operation.responses[status] ?? {}).map(([name, body]) => ({ status, name, body }));
    return [...written, ...codesWithoutExample(operation, status, written)];
  });
}

/** What is answered when nothing is asked for: something was created where that can be, else the first success. */
export function defaultAnswer(answers: readonly Answer[]): Answer | undefined {
  return answers.find(({ status }) => status === 201) ?? answers.find(({ status }) => status >= 200 && status < 300);
}

function examplesOf(response: Response): [string, unknown][] {
  if (!response.content) return [['empty', undefined]];
  const { example, examples }: MediaType = response.content[jsonMediaType] ?? {};
  const named = Object.entries(examples ?? {}).map(([name, { value }]): [string, unknown] => [name, value]);
  return example === undefined ? named : [['example', example], ...named];
}

/** A shared response cannot have an example of each code that some operation adds to it; the first example is the pattern for these. */
function codesWithoutExample(operation: Operation, status: number, written: readonly Answer[]): Answer[] {
  const pattern = written[0]?.body as ErrorBody | undefined;
  if (status < 400 || !pattern) return [];
  const shown = new Set(written.map(({ body }) => (body as ErrorBody).code));
  const missing = declaredCodes(operation, status).filter((code) => !shown.has(code));
  return missing.map((code) => ({ status, name: code.replace(/^(svc_api|rest)_/, ''), body: errorLike(pattern, code) }));
}

function errorLike(pattern: ErrorBody, code: string): ErrorBody {
  // The pattern may name parameters; those are its own.
  const { params: _params, ...data } = pattern.data;
  const message = code in errorTable ? errorTable[code as keyof typeof errorTable].message : code;
  return { code, message, data };
}
