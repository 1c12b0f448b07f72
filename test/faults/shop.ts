import type { Database } from '../../db/database.ts';
import { createVisitorHasher } from '../../domain/clicks/visitor.ts';
import { systemClock } from '../../domain/clock.ts';
import { openSettings } from '../../server/site.ts';
import { submit } from '../support/applications.ts';
import { clicks } from '../support/clicks.ts';
import { orders } from '../support/program.ts';
import { masterKey, type TestService } from '../support/service.ts';
import type { Proof } from './api-client.ts';

const ordersAtOnce = 3;

/** A store that tells of orders, visits and applications beside the service, each in a transaction of its own. */
export class Shop {
  readonly #told: TestService;
  readonly #couponId: number;
  #number: number;

  /** Numbers from `first` on are its own. */
  constructor(database: Database, couponId: number, first: number) {
    const told = { storage: database, settings: openSettings(database), clock: systemClock, hashVisitor: createVisitorHasher(masterKey) };
    // What the functions that tell it look at is all there.
    this.#told = told as unknown as TestService;
    this.#couponId = couponId;
    this.#number = first;
  }

  /** Tells of the next thing. How to find it, once it is committed. */
  async tell(): Promise<Proof> {
    this.#number += ordersAtOnce;
    const number = this.#number;
    const kinds = [() => this.#orders(number), () => this.#visit(number), () => this.#application(number)];
    return (kinds[(number / ordersAtOnce) % kinds.length] ?? kinds[0])?.() ?? '';
  }

  /** Together or not at all: the last of them is there, and so is what each has earned. */
  async #orders(number: number): Promise<Proof> {
    const ids = Array.from({ length: ordersAtOnce }, (_, index) => number + index);
    await orders(
      this.#told,
      ids.map((id) => ({ id, coupon: this.#couponId, at: '2026-11-01T12:00:00Z', total: 10 })),
    );
    const own = `select count(*) as n from orders where order_id in (${ids.join(', ')}) and commission_minor = 100`;
    return `select 1 from (${own}) as own where n = ${ordersAtOnce}`;
  }

  async #visit(number: number): Promise<Proof> {
    const campaign = `visit-${number}`;
    await clicks(this.#told, [{ coupon: this.#couponId, at: '2026-11-01T12:00:00Z', visitor: campaign, campaign }]);
    return `select 1 from clicks where campaign = '${campaign}'`;
  }

  async #application(number: number): Promise<Proof> {
    const login = `applicant${number}`;
    const id = await submit(this.#told, { login, email: `${login}@mail.example`, couponCode: `CODE${number}` });
    return `select 1 from registrations where id = ${id} and login = '${login}'`;
  }
}
