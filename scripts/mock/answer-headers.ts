import { randomUUID } from 'node:crypto';
import type { Header, Response } from '../../server/contract/document.ts';

type Value = (body: unknown) => unknown;

// Where a header repeats what the body shows, the two must not contradict each other; the header's one example fits one body only.
const fromBody: Readonly<Record<string, Value>> = {
  'X-Request-Id': () => randomUUID(),
  'Retry-After': (body) => (body as { data?: { retry_after?: unknown } } | undefined)?.data?.retry_after,
};

/** The headers that the contract declares for an answer: what is told about a list, what the body shows, else the values of their examples. */
export function headersFor(response: Response, body: unknown, told: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const entries = Object.entries(response.headers ?? {}).map(
    ([name, header]) => [name, told[name] ?? fromBody[name]?.(body) ?? exampleOf(header)] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]));
}

function exampleOf(header: Header): unknown {
  return header.example ?? Object.values(header.examples ?? {})[0]?.value;
}
