/** Something the site's module did wrong. The service went on without it. */
export interface ExtensionFailure {
  /** Which member of the module: `rateCeiling`, `gateways.acme`. */
  readonly member: string;
  /** Completes the sentence that starts with the member: "failed", "gave -1 instead of …". */
  readonly problem: string;
  /** What was thrown. For the log alone. */
  readonly cause?: unknown;
}

export type ReportFailure = (failure: ExtensionFailure) => void;

/** What a member that must answer at once gives; null when it failed, which is reported. */
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

/** An object as JSON will carry it. What JSON cannot carry fails here, and not while a client waits for the answer. */
export const toJson = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && !(answer instanceof Promise) ? JSON.parse(JSON.stringify(answer)) : answer;

/** What the log shows of an answer that cannot be used. */
export function describeValue(answer: unknown): string {
  if (answer instanceof Promise) return 'a promise';
  return typeof answer === 'object' && answer !== null ? 'another object' : String(answer);
}
