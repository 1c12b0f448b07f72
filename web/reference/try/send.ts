import { authorisedFetch } from '../credentials.ts';
import { addressOf, type Call } from '../snippets.ts';

export interface Reply {
  readonly status: number;
  readonly statusText: string;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

/** Sends a call as the chosen credential's owner, and measures until the last byte of the answer. */
export async function send(basePath: string, call: Call): Promise<Reply> {
  const started = performance.now();
  const headers = Object.fromEntries([
    ...call.headers,
    ...(call.body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
  ]);
  const answer = await authorisedFetch(basePath + addressOf(call), {
    method: call.method.toUpperCase(),
    headers,
    ...(call.body !== undefined && { body: call.body }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    statusText: answer.statusText,
    milliseconds: performance.now() - started,
    headers: [...answer.headers],
    text,
  };
}
