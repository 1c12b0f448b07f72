import { expect } from 'chai';
import type { Random } from '../support/random.ts';

/** A payout as read directly from the database. */
export interface PayoutRow {
  id: number;
  couponId: number;
  amount: number;
  status: string;
}

interface AcknowledgedPayout {
  amount: number;
  status: string;
}

type Attempt = { is: 'request'; key: string } | { is: 'change'; id: number; to: string };

const targets = ['pending', 'created', 'paid', 'cancel'] as const;

/** Requests and changes payouts of one coupon, one call at a time, and records what was acknowledged. At a kill at most one call is open. */
export class PayoutClient {
  readonly couponId: number;
  readonly #headers: Record<string, string>;
  readonly #random: Random;
  readonly #acknowledged = new Map<number, AcknowledgedPayout>();
  #attempt: Attempt | null = null;
  #keys = 0;
  /** Number of successful calls. */
  acknowledged = 0;

  constructor(couponId: number, headers: Record<string, string>, random: Random) {
    this.couponId = couponId;
    this.#headers = headers;
    this.#random = random;
  }

  /** Resolves when the service no longer responds. */
  async runUntilKilled(origin: string, onResponse: () => void): Promise<void> {
    for (;;) {
      this.#attempt ??= this.#next();
      const response = await this.#send(origin, this.#attempt).catch(() => null);
      if (response === null) return;
      this.#record(this.#attempt, response);
      this.#attempt = null;
      onResponse();
    }
  }

  #next(): Attempt {
    const latest = [...this.#acknowledged].at(-1);
    const isOpen = latest !== undefined && ['pending', 'created'].includes(latest[1].status);
    if (latest && (isOpen || this.#random.chance(0.2))) {
      const to = this.#random.pick(targets.filter((target) => target !== latest[1].status));
      return { is: 'change', id: latest[0], to };
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

  #record(attempt: Attempt, { status, body }: { status: number; body: Record<string, unknown> }): void {
    if (status < 300) {
      this.acknowledged += 1;
      this.#acknowledged.set(Number(body['id']), { amount: Math.round(Number(body['amount']) * 100), status: String(body['status']) });
    } else if (!this.#isPlausible(attempt, String(body['code'])))
      throw new Error(`${JSON.stringify(attempt)}: ${status} ${JSON.stringify(body)}`);
  }

  /** No other client changes these payouts, so there are no conflicts with others. */
  #isPlausible({ is }: Attempt, code: string): boolean {
    // A busy machine sheds calls before they have any effect.
    if (code === 'svc_api_overloaded') return true;
    const ofRequests = ['svc_api_no_balance', 'svc_api_in_progress'];
    const ofChanges = ['svc_api_no_change', 'svc_api_invalid_transition', 'svc_api_insufficient_unpaid', 'svc_api_conflict'];
    return (is === 'request' ? ofRequests : ofChanges).includes(code);
  }

  /** Every acknowledged payout exists, in the acknowledged status or in that of the one call without a response. */
  expectRows(rows: readonly PayoutRow[]): void {
    const own = new Map(rows.filter(({ couponId }) => couponId === this.couponId).map((row) => [row.id, row]));
    const attempt = this.#attempt;
    for (const [id, { amount, status }] of this.#acknowledged) {
      const row = own.get(id);
      const allowed = attempt?.is === 'change' && attempt.id === id ? [status, attempt.to] : [status];
      // A repeated request returns `created` while the payout is at its gateway.
      if (status === 'created') allowed.push('processing', 'paid');
      expect(row?.amount, `payout ${id}`).to.equal(amount);
      expect(allowed, `payout ${id}`).to.include(row?.status);
      if (row) this.#acknowledged.set(id, { amount, status: row.status === 'processing' ? 'created' : row.status });
    }
    const unknown = [...own.keys()].filter((id) => !this.#acknowledged.has(id));
    expect(unknown.length, `payouts of coupon ${this.couponId} that were never acknowledged`).to.be.at.most(
      attempt?.is === 'request' ? 1 : 0,
    );
  }
}
