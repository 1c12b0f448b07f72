import type { GatewayOutcome, Pay } from '../../domain/payouts/gateway.ts';
import { inWords, type Report } from './failure.ts';
import type { Gateway, GatewayAnswer } from './site-module.ts';

/** What was thrown may hold the destination's details; the caller reads this instead. */
const failed: GatewayOutcome = {
  status: 'failed',
  transactionId: '',
  notice: 'The payment gateway did not take the payout. It stays pending.',
};

export function guardedGateways(gateways: Readonly<Record<string, Gateway>>, report: Report): ReadonlyMap<string, Pay> {
  return new Map(Object.entries(gateways).map(([name, gateway]) => [name, guard(`gateways.${name}`, gateway.bind(gateways), report)]));
}

function guard(member: string, gateway: Gateway, report: Report): Pay {
  return async (payment) => {
    try {
      const answer: unknown = await gateway(payment);
      if (isAnswer(answer)) return { status: answer.status, transactionId: answer.transactionId ?? '', notice: answer.notice ?? null };
      report({ member, problem: `gave ${inWords(answer)} instead of { status: 'created' | 'paid' | 'failed', transactionId?, notice? }` });
    } catch (cause) {
      report({ member, problem: 'failed', cause });
    }
    return failed;
  };
}

function isAnswer(answer: unknown): answer is GatewayAnswer {
  if (typeof answer !== 'object' || answer === null) return false;
  const { status, transactionId = '', notice = '' } = answer as Record<string, unknown>;
  return ['created', 'paid', 'failed'].includes(String(status)) && typeof transactionId === 'string' && typeof notice === 'string';
}
