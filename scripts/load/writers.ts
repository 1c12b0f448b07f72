import type { Question } from './ask.ts';
import type { Store } from './store.ts';

type Write = Omit<Question, 'token'>;

/** Somebody who writes one thing after the other, each when the one before was answered. Null when there is nothing left to write. */
type Writer = () => Write | null;

/** Of ten writes, six request or cancel a payout, three make or revoke a key, one decides on an application while there are any. */
export class Writers {
  readonly #payouts: Writer[];
  readonly #keys: Writer[];
  readonly #applications: Writer[] = [];
  #asked = 0;

  constructor(store: Store) {
    this.#payouts = store.payableIds.map((couponId) => payoutWriter(couponId, (writer) => this.#payouts.push(writer)));
    this.#keys = Array.from({ length: 40 }, () => keyWriter(store, (writer) => this.#keys.push(writer)));
    this.#applications.push(...store.applicationIds.map((id) => applicationWriter(id, (writer) => this.#applications.push(writer))));
  }

  next(): Write | undefined {
    this.#asked += 1;
    const turn = this.#asked % 10;
    const chosen = turn < 6 ? this.#payouts : turn < 9 ? this.#keys : this.#applications;
    return (chosen.shift() ?? this.#keys.shift())?.() ?? undefined;
  }
}

/** Takes its turn again once it is answered. */
type Again = (writer: Writer) => void;

/** Requests a payout and cancels it, which gives the money back for the next. */
function payoutWriter(couponId: number, again: Again): Writer {
  let open: number | undefined;
  const writer: Writer = () => {
    if (open === undefined)
      return {
        method: 'POST',
        path: '/payouts',
        body: { coupon_id: couponId },
        expect: 201,
        settle(body) {
          if (body !== null) open = idIn(body);
          again(writer);
        },
      };
    return {
      method: 'POST',
      path: `/payouts/${open}/status`,
      body: { status: 'cancel' },
      settle(body) {
        if (body !== null) open = undefined;
        again(writer);
      },
    };
  };
  return writer;
}

function keyWriter({ userId }: Store, again: Again): Writer {
  let made: number | undefined;
  const writer: Writer = () => {
    const settle = (body: string | null): void => {
      if (body !== null) made = made === undefined ? idIn(body) : undefined;
      again(writer);
    };
    if (made !== undefined) return { method: 'DELETE', path: `/keys/${made}`, settle };
    return { method: 'POST', path: '/keys', body: { user_id: userId, scopes: ['read'] }, expect: 201, settle };
  };
  return writer;
}

function applicationWriter(id: number, again: Again): Writer {
  const writer: Writer = () => ({
    method: 'POST',
    path: `/registrations/${id}/status`,
    body: { status: 'accepted' },
    // Once it is accepted there is nothing left to decide.
    settle: (body) => void (body === null && again(writer)),
  });
  return writer;
}

const idIn = (body: string): number => (JSON.parse(body) as { id: number }).id;
