import { expect } from 'chai';
import type { Random } from '../support/random.ts';

/** A payout as a row of the database, past everything under test. */
export interface Row {
  id: number;
  couponId: number;
  amount: number;
  status: string;
}

interface Acknowledged {
  amount: number;
  status: string;
}

type Attempt = { is: 'request'; key: string } | { is: 'change'; id: number; to: string };

const targets = ['pending', 'created', 'paid', 'cancel'] as const;

/**
 * Asks for the payouts of one coupon and changes them, one call after the other, and remembers what it was promised. What it does not know
 * when the service dies is at most one call.
 */
export class PayoutClient {
  readonly couponId: number;
  readonly #headers: Record<string, string>;
  readonly #random: Random;
  readonly #acknowledged = new Map<number, Acknowledged>();
  #attempt: Attempt | null = null;
  #keys = 0;
  /** Calls that were answered with a success. */
  promises = 0;

  constructor(couponId: number, headers: Record<string, string>, random: Random) {
    this.couponId = couponId;
    this.#headers = headers;
    this.#random = random;
  }

  /** Goes on until the service no longer answers. `onAnswer` is told of every answer. */
  async work(origin: string, onAnswer: () => void): Promise<void> {
    for (;;) {
      this.#attempt ??= this.#next();
      const answer = await this.#send(origin, this.#attempt).catch(() => null);
      if (answer === null) return;
      this.#take(this.#attempt, answer);
      this.#attempt = null;
      onAnswer();
    }
  }

  #next(): Attempt {
    const known = [...this.#acknowledged].at(-1);
    const isOpen = known !== undefined && ['pending', 'created'].includes(known[1].status);
    if (known && (isOpen || this.#random.chance(0.2))) {
      const to = this.#random.pick(targets.filter((target) => target !== known[1].status));
      return { is: 'change', id: known[0], to };
    }
    this.#keys += 1;
    return { is: 'request', key: `${this.couponId}-${this.#keys}` };
  }

  async #send(origin: string, attempt: Attempt): Promise<{ status: number; body: Record<string, unknown> }> {
    const path = attempt.is === 'request' ? '/payouts' : `/payouts/${attempt.id}/status`;
    const key: Record<string, string> = attempt.is === 'request' ? { 'Idempotency-Key': attempt.key } : {};
    const response = await fetch(`${origin}/api/v2${path}`, {
      method: 'POST',
      headers: { ...this.#headers, ...key, 'Content-Type': 'application/json' },
      body: JSON.stringify(attempt.is === 'request' ? { coupon_id: this.couponId } : { status: attempt.to }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  #take(attempt: Attempt, { status, body }: { status: number; body: Record<string, unknown> }): void {
    if (status < 300) {
      this.promises += 1;
      this.#acknowledged.set(Number(body['id']), { amount: Math.round(Number(body['amount']) * 100), status: String(body['status']) });
    } else if (!this.#isPlausible(attempt, String(body['code'])))
      throw new Error(`${JSON.stringify(attempt)}: ${status} ${JSON.stringify(body)}`);
  }

  /** Nobody else touches the payouts of this coupon, so nobody can be quicker. */
  #isPlausible({ is }: Attempt, code: string): boolean {
    const ofRequests = ['svc_api_no_balance', 'svc_api_in_progress'];
    const ofChanges = ['svc_api_no_change', 'svc_api_invalid_transition', 'svc_api_insufficient_unpaid', 'svc_api_conflict'];
    return (is === 'request' ? ofRequests : ofChanges).includes(code);
  }

  /** Everything that was promised is there, as it was promised or as the one call has left it that nobody answered. */
  expectKept(rows: readonly Row[]): void {
    const own = new Map(rows.filter(({ couponId }) => couponId === this.couponId).map((row) => [row.id, row]));
    const attempt = this.#attempt;
    for (const [id, { amount, status }] of this.#acknowledged) {
      const row = own.get(id);
      const allowed = attempt?.is === 'change' && attempt.id === id ? [status, attempt.to] : [status];
      // What an answer to a repeated request calls created may still have been with its gateway.
      if (status === 'created') allowed.push('processing', 'paid');
      expect(row?.amount, `payout ${id}`).to.equal(amount);
      expect(allowed, `payout ${id}`).to.include(row?.status);
      if (row) this.#acknowledged.set(id, { amount, status: row.status === 'processing' ? 'created' : row.status });
    }
    const unknown = [...own.keys()].filter((id) => !this.#acknowledged.has(id));
    expect(unknown.length, `payouts of coupon ${this.couponId} that nobody was told of`).to.be.at.most(attempt?.is === 'request' ? 1 : 0);
  }
}
