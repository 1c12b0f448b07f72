/** An error in the site's module. The service has continued without its result. */
export interface ExtensionFailure {
  /** Which member of the module: `rateCeiling`, `gateways.acme`. */
  readonly member: string;
  /** Completes the sentence that starts with the member: "failed", "gave -1 instead of …". */
  readonly problem: string;
  /** The thrown error. For the log only. */
  readonly cause?: unknown;
}

export type ReportFailure = (failure: ExtensionFailure) => void;

/** Calls a synchronous member. Returns null if it throws, which is reported. */
export function tryCall(member: string, call: () => unknown, report: ReportFailure): { readonly answer: unknown } | null {
  try {
    const answer = call();
    // An async function where none is expected: its promise is not awaited, and a rejection would end the process.
    if (answer instanceof Promise) answer.catch((cause: unknown) => report({ member, problem: 'failed', cause }));
    return { answer };
  } catch (cause) {
    report({ member, problem: 'failed', cause });
    return null;
  }
}

/** A copy of an object through JSON, so that a value that JSON cannot represent fails here and not while the response is sent. */
export const toJson = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && !(answer instanceof Promise) ? JSON.parse(JSON.stringify(answer)) : answer;

/** Describes an invalid return value for the log. */
export function describeValue(answer: unknown): string {
  if (answer instanceof Promise) return 'a promise';
  return typeof answer === 'object' && answer !== null ? 'another object' : String(answer);
}
