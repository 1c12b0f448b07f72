import type { GatewayOutcome, Pay, Payment } from '../../domain/payouts/gateway.ts';
import { withTimeout } from '../../domain/timeout.ts';
import { describeValue, type ReportFailure } from './failure.ts';
import type { Gateway } from './site-module.ts';

/** Everything but the destination. */
export type LoggedPayment = Omit<Payment, 'details'>;

/** The gateways of the service, beside those of a site. `log` logs what it would have paid. */
export const createBuiltInGateways = (logPayment: (payment: LoggedPayment) => void): ReadonlyMap<string, Pay> =>
  new Map<string, Pay>([
    ['manual', async () => taken('created')],
    [
      'log',
      async ({ details: _details, ...payment }) => {
        logPayment(payment);
        return taken('paid');
      },
    ],
  ]);

const taken = (status: GatewayOutcome['status']): GatewayOutcome => ({ status, transactionId: '', notice: null });

/** For the caller in place of the thrown error, which may contain the destination. */
const failed: GatewayOutcome = {
  status: 'failed',
  transactionId: '',
  notice: 'The payment gateway did not take the payout. It stays pending.',
};

/** The payment may have been made, so it is not repeated before an operator has checked. */
const unknown: GatewayOutcome = {
  status: 'unknown',
  transactionId: '',
  notice: 'The payment gateway gave no answer that could be understood. The store looks into it.',
};

/** Longer than payment providers take; the client has timed out by then. */
export const gatewayTimeoutMs = 60_000;

const late = Symbol('late');

export function guardGateways(
  gateways: Readonly<Record<string, Gateway>>,
  report: ReportFailure,
  timeoutMs = gatewayTimeoutMs,
): ReadonlyMap<string, Pay> {
  const guards = Object.entries(gateways).map(
    ([name, gateway]) => [name, guard(`gateways.${name}`, gateway.bind(gateways), report, timeoutMs)] as const,
  );
  return new Map(guards);
}

function guard(member: string, gateway: Gateway, report: ReportFailure, timeoutMs: number): Pay {
  return async (payment) => {
    const clean = (text: string): string => withoutDestination(text, payment);
    try {
      const answer = await withTimeout<unknown, typeof late>(Promise.resolve(gateway(payment)), timeoutMs, () => late);
      if (answer !== late) return outcomeOf(answer, clean) ?? notUnderstood(member, answer, payment, report);
      report({ member, problem: `has not answered within ${timeoutMs / 1000} seconds about payout ${payment.payoutId}` });
      return unknown;
    } catch (cause) {
      report({ member, problem: 'failed', cause: cleaned(cause, clean) });
      return failed;
    }
  };
}

function notUnderstood(member: string, answer: unknown, { payoutId }: Payment, report: ReportFailure): GatewayOutcome {
  const expected = "{ status: 'created' | 'paid' | 'failed' | 'rejected', transactionId?, notice? }";
  report({ member, problem: `gave ${describeValue(answer)} instead of ${expected} about payout ${payoutId}, which stays processing` });
  return unknown;
}

/** A valid status counts, whatever the other fields are. Null without one. */
function outcomeOf(answer: unknown, clean: (text: string) => string): GatewayOutcome | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { status, transactionId, notice } = answer as Record<string, unknown>;
  if (status !== 'created' && status !== 'paid' && status !== 'failed' && status !== 'rejected') return null;
  const isNumbered = typeof transactionId === 'string' || typeof transactionId === 'number';
  return {
    status,
    transactionId: isNumbered ? storable(clean(String(transactionId)), 200) : '',
    notice: typeof notice === 'string' && notice.trim() !== '' ? storable(clean(notice), 1000) : null,
  };
}

/** Makes a provider's text storable and printable, so that an odd text does not invalidate the status of the payout. */
const storable = (text: string, most: number): string =>
  text
    .slice(0, most)
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n]/gu, '\u{fffd}');

/** Every value of the destination that is long enough to identify it. */
const wordsOf = (part: unknown): string[] => {
  if (typeof part === 'object' && part !== null) return Object.values(part).flatMap(wordsOf);
  return (typeof part === 'string' || typeof part === 'number') && String(part).length >= 4 ? [String(part)] : [];
};

/** Removes the destination: it must be in no response and no log line, even if the gateway returns it. */
const withoutDestination = (text: string, { details }: Payment): string =>
  wordsOf(details)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, word) => rest.replaceAll(word, '[redacted]').replaceAll(JSON.stringify(word).slice(1, -1), '[redacted]'), text);

function cleaned(cause: unknown, clean: (text: string) => string): Error {
  const error = new Error(clean(cause instanceof Error ? cause.message : String(cause)));
  if (cause instanceof Error && cause.stack) error.stack = clean(cause.stack);
  return error;
}
