/** SQL that finds a row if an acknowledged write is stored. */
export type RowQuery = string;

interface Step {
  method: 'POST' | 'DELETE';
  path: string;
  body?: Record<string, unknown>;
  key?: string;
  /** Built from the response. */
  rowQuery(body: Record<string, unknown>): RowQuery;
}

interface AcknowledgedRequest {
  key: string;
  couponId: number;
  id: number;
}

/** Errors that are right after an earlier call without a response. */
const plausibleCodes = ['svc_api_no_change', 'svc_api_no_balance', 'svc_api_in_progress', 'svc_api_already_accepted', 'svc_api_not_found'];

/** Errors that say that nothing was saved, like a 503. */
const notSavedCodes = ['svc_api_not_created', 'svc_api_not_updated', 'svc_api_conflict'];

/** A client of an administrator: creates keys, webhooks and payouts and accepts applications, one call at a time, and records what was acknowledged. */
export class ApiClient {
  readonly #name: string;
  readonly #couponId: number;
  readonly #headers: Record<string, string>;
  readonly #applications: number[];
  readonly acknowledgedRows: RowQuery[] = [];
  /** Acknowledged requests with an Idempotency-Key. */
  readonly requests: AcknowledgedRequest[] = [];
  /** By HTTP status; 0 counts calls without a response. */
  readonly statusCounts = new Map<number, number>();
  readonly unexpectedResponses: string[] = [];
  slowestMs = 0;
  #calls = 0;
  #keyId: number | null = null;
  #payoutId: number | null = null;

  /** The applications and the payouts of the coupon must not be changed by other clients. */
  constructor(name: string, couponId: number, headers: Record<string, string>, applications: readonly number[]) {
    this.#name = name;
    this.#couponId = couponId;
    this.#headers = headers;
    this.#applications = [...applications];
  }

  get acknowledged(): number {
    return this.acknowledgedRows.length;
  }

  get calls(): number {
    return [...this.statusCounts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Resolves to false where there was no response. */
  async call(origin: string): Promise<boolean> {
    const step = this.#next();
    const started = performance.now();
    const response = await this.#send(origin, step).catch(() => null);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - started);
    const status = response?.status ?? 0;
    this.statusCounts.set(status, (this.statusCounts.get(status) ?? 0) + 1);
    if (response) this.#record(step, response.status, response.body, response.retryAfter);
    return response !== null;
  }

  /** Repeats acknowledged requests under their Idempotency-Keys, and resolves to those with another response. */
  async findWrongReplays(origin: string, last = 20): Promise<AcknowledgedRequest[]> {
    const wrong: AcknowledgedRequest[] = [];
    for (const request of this.requests.slice(-last)) {
      const { status, body } = await this.#send(origin, this.#requestPayout(request.key));
      if (status >= 300 || body['id'] !== request.id) wrong.push(request);
    }
    return wrong;
  }

  #next(): Step {
    this.#calls += 1;
    const steps = [
      () => this.#createKey(),
      () => this.#revokeKey(),
      () => this.#createWebhook(),
      () => this.#requestOrCancelPayout(),
      () => this.#acceptApplication(),
    ];
    return steps[this.#calls % steps.length]?.() ?? this.#createKey();
  }

  #createKey(): Step {
    const description = `${this.#name}-${this.#calls}`;
    const proves = ({ id }: Record<string, unknown>): RowQuery => {
      this.#keyId = Number(id);
      return `select 1 from api_keys where id = ${id} and description = '${description}'`;
    };
    return { method: 'POST', path: '/keys', body: { description }, rowQuery: proves };
  }

  #revokeKey(): Step {
    const id = this.#keyId;
    this.#keyId = null;
    if (id === null) return this.#createKey();
    return { method: 'DELETE', path: `/keys/${id}`, rowQuery: () => `select 1 from api_keys where id = ${id} and revoked_at is not null` };
  }

  #createWebhook(): Step {
    const name = `${this.#name}-${this.#calls}`;
    // The event never occurs here, so nothing is sent.
    const body = { name, url: 'https://127.0.0.1:9/unused', events: ['payout.reopened'] };
    return {
      method: 'POST',
      path: '/webhooks',
      body,
      rowQuery: ({ id }) => `select 1 from webhooks where id = ${id} and name = '${name}'`,
    };
  }

  /** Requests the whole balance, and cancels it the next time, so that there is always a balance to request. */
  #requestOrCancelPayout(): Step {
    const id = this.#payoutId;
    this.#payoutId = null;
    if (id === null) return this.#requestPayout(`${this.#name}-${this.#calls}`);
    const proves = (): RowQuery => `select 1 from payouts where id = ${id} and status = 'cancel'`;
    return { method: 'POST', path: `/payouts/${id}/status`, body: { status: 'cancel' }, rowQuery: proves };
  }

  #requestPayout(key: string): Step {
    const proves = ({ id, amount }: Record<string, unknown>): RowQuery => {
      this.#payoutId = Number(id);
      this.requests.push({ key, couponId: this.#couponId, id: Number(id) });
      const minor = Math.round(Number(amount) * 100);
      return `select 1 from payouts where id = ${id} and coupon_id = ${this.#couponId} and amount_minor = ${minor}`;
    };
    return { method: 'POST', path: '/payouts', body: { coupon_id: this.#couponId }, key, rowQuery: proves };
  }

  #acceptApplication(): Step {
    const id = this.#applications.shift();
    if (id === undefined) return this.#createKey();
    const proves = (): RowQuery =>
      `select 1 from registrations join users on users.id = registrations.user_id join coupons on coupons.id = registrations.coupon_id
       where registrations.id = ${id} and registrations.status = 'accepted'`;
    return { method: 'POST', path: `/registrations/${id}/status`, body: { status: 'accepted' }, rowQuery: proves };
  }

  async #send(origin: string, { method, path, body, key }: Step) {
    const headers = { ...this.#headers, ...(body && { 'Content-Type': 'application/json' }), ...(key && { 'Idempotency-Key': key }) };
    const response = await fetch(`${origin}/api/v2${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const content = (await response.json()) as Record<string, unknown>;
    return { status: response.status, retryAfter: response.headers.get('Retry-After'), body: content };
  }

  #record(step: Step, status: number, body: Record<string, unknown>, retryAfter: string | null): void {
    const code = String(body['code']);
    if (status < 300) this.acknowledgedRows.push(step.rowQuery(body));
    else if (status === 503 ? retryAfter === null : ![...plausibleCodes, ...notSavedCodes].includes(code))
      this.unexpectedResponses.push(`${step.method} ${step.path}: ${status} ${JSON.stringify(body)}`);
  }
}
