/** How the database shows that something is there which was acknowledged: this finds a row. */
export type Proof = string;

interface Step {
  method: 'POST' | 'DELETE';
  path: string;
  body?: Record<string, unknown>;
  key?: string;
  /** From what the answer tells. */
  proves(body: Record<string, unknown>): Proof;
}

interface Acknowledged {
  key: string;
  couponId: number;
  id: number;
}

/** What may be said instead of yes: each is true of a call that came after one which nobody answered. */
const plausible = ['svc_api_no_change', 'svc_api_no_balance', 'svc_api_in_progress', 'svc_api_already_accepted', 'svc_api_not_found'];

/** Says that it could not be saved, which is as good as a 503. */
const unsaved = ['svc_api_not_created', 'svc_api_not_updated', 'svc_api_conflict'];

/** An administrator's program: makes keys, webhooks, payouts and decisions, one after the other, and remembers what it was promised. */
export class ApiClient {
  readonly #name: string;
  readonly #couponId: number;
  readonly #headers: Record<string, string>;
  readonly #applications: number[];
  readonly proofs: Proof[] = [];
  /** Of requests with an Idempotency-Key. */
  readonly requests: Acknowledged[] = [];
  /** Answers by status; 0 where there was none. */
  readonly answers = new Map<number, number>();
  readonly surprises: string[] = [];
  slowestMs = 0;
  #turn = 0;
  #keyId: number | null = null;
  #payoutId: number | null = null;

  /** Nobody else decides on these applications or touches the payouts of this coupon. */
  constructor(name: string, couponId: number, headers: Record<string, string>, applications: readonly number[]) {
    this.#name = name;
    this.#couponId = couponId;
    this.#headers = headers;
    this.#applications = [...applications];
  }

  get promises(): number {
    return this.proofs.length;
  }

  get calls(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Whether there was an answer at all. */
  async call(origin: string): Promise<boolean> {
    const step = this.#next();
    const started = performance.now();
    const answer = await this.#send(origin, step).catch(() => null);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - started);
    const status = answer?.status ?? 0;
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    if (answer) this.#take(step, answer.status, answer.body, answer.retryAfter);
    return answer !== null;
  }

  /** Asks again for everything that was acknowledged under an Idempotency-Key. Gives those that were answered otherwise. */
  async replays(origin: string, last = 20): Promise<Acknowledged[]> {
    const wrong: Acknowledged[] = [];
    for (const request of this.requests.slice(-last)) {
      const { status, body } = await this.#send(origin, this.#requestOf(request.key));
      if (status >= 300 || body['id'] !== request.id) wrong.push(request);
    }
    return wrong;
  }

  #next(): Step {
    this.#turn += 1;
    const steps = [() => this.#newKey(), () => this.#revoke(), () => this.#newWebhook(), () => this.#payout(), () => this.#decide()];
    return steps[this.#turn % steps.length]?.() ?? this.#newKey();
  }

  #newKey(): Step {
    const description = `${this.#name}-${this.#turn}`;
    const proves = ({ id }: Record<string, unknown>): Proof => {
      this.#keyId = Number(id);
      return `select 1 from api_keys where id = ${id} and description = '${description}'`;
    };
    return { method: 'POST', path: '/keys', body: { description }, proves };
  }

  #revoke(): Step {
    const id = this.#keyId;
    this.#keyId = null;
    if (id === null) return this.#newKey();
    return { method: 'DELETE', path: `/keys/${id}`, proves: () => `select 1 from api_keys where id = ${id} and revoked_at is not null` };
  }

  #newWebhook(): Step {
    const name = `${this.#name}-${this.#turn}`;
    // Nothing is ever told of it, so nothing is sent there.
    const body = { name, url: 'https://127.0.0.1:9/nobody', events: ['payout.reopened'] };
    return { method: 'POST', path: '/webhooks', body, proves: ({ id }) => `select 1 from webhooks where id = ${id} and name = '${name}'` };
  }

  /** Requests all there is, and cancels it the next time, so that there is always something to request. */
  #payout(): Step {
    const id = this.#payoutId;
    this.#payoutId = null;
    if (id === null) return this.#requestOf(`${this.#name}-${this.#turn}`);
    const proves = (): Proof => `select 1 from payouts where id = ${id} and status = 'cancel'`;
    return { method: 'POST', path: `/payouts/${id}/status`, body: { status: 'cancel' }, proves };
  }

  #requestOf(key: string): Step {
    const proves = ({ id, amount }: Record<string, unknown>): Proof => {
      this.#payoutId = Number(id);
      this.requests.push({ key, couponId: this.#couponId, id: Number(id) });
      const minor = Math.round(Number(amount) * 100);
      return `select 1 from payouts where id = ${id} and coupon_id = ${this.#couponId} and amount_minor = ${minor}`;
    };
    return { method: 'POST', path: '/payouts', body: { coupon_id: this.#couponId }, key, proves };
  }

  #decide(): Step {
    const id = this.#applications.shift();
    if (id === undefined) return this.#newKey();
    const proves = (): Proof =>
      `select 1 from registrations join users on users.id = registrations.user_id join coupons on coupons.id = registrations.coupon_id
       where registrations.id = ${id} and registrations.status = 'accepted'`;
    return { method: 'POST', path: `/registrations/${id}/status`, body: { status: 'accepted' }, proves };
  }

  async #send(origin: string, { method, path, body, key }: Step) {
    const headers = { ...this.#headers, ...(body && { 'Content-Type': 'application/json' }), ...(key && { 'Idempotency-Key': key }) };
    const response = await fetch(`${origin}/api/v2${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const answer = (await response.json()) as Record<string, unknown>;
    return { status: response.status, retryAfter: response.headers.get('Retry-After'), body: answer };
  }

  #take(step: Step, status: number, body: Record<string, unknown>, retryAfter: string | null): void {
    const code = String(body['code']);
    if (status < 300) this.proofs.push(step.proves(body));
    else if (status === 503 ? retryAfter === null : ![...plausible, ...unsaved].includes(code))
      this.surprises.push(`${step.method} ${step.path}: ${status} ${JSON.stringify(body)}`);
  }
}
