import type { Database } from '../../db/database.ts';
import { createVisitorHasher } from '../../domain/clicks/record.ts';
import { systemClock } from '../../domain/clock.ts';
import { openSettings } from '../../server/site.ts';
import { submit } from '../support/applications.ts';
import { clicks } from '../support/clicks.ts';
import { orders } from '../support/program.ts';
import { masterKey, type TestService } from '../support/service.ts';
import type { RowQuery } from './api-client.ts';

const ordersPerImport = 3;

/** A shop that writes orders, clicks and applications to the database beside the service, each in a transaction. */
export class ImportingShop {
  readonly #context: TestService;
  readonly #couponId: number;
  #number: number;

  /** Its records are numbered from `first` on. */
  constructor(database: Database, couponId: number, first: number) {
    const context = {
      storage: database,
      settings: openSettings(database),
      clock: systemClock,
      hashVisitor: createVisitorHasher(masterKey),
    };
    // All that the import functions read of a TestService.
    this.#context = context as unknown as TestService;
    this.#couponId = couponId;
    this.#number = first;
  }

  /** Imports the next record, and resolves to its query after the commit. */
  async importNext(): Promise<RowQuery> {
    this.#number += ordersPerImport;
    const number = this.#number;
    const kinds = [() => this.#orders(number), () => this.#visit(number), () => this.#application(number)];
    return (kinds[(number / ordersPerImport) % kinds.length] ?? kinds[0])?.() ?? '';
  }

  /** The query finds a row only if all orders of the import exist with their commission. */
  async #orders(number: number): Promise<RowQuery> {
    const ids = Array.from({ length: ordersPerImport }, (_, index) => number + index);
    await orders(
      this.#context,
      ids.map((id) => ({ id, coupon: this.#couponId, at: '2026-11-01T12:00:00Z', total: 10 })),
    );
    const own = `select count(*) as n from orders where order_id in (${ids.join(', ')}) and commission_minor = 100`;
    return `select 1 from (${own}) as own where n = ${ordersPerImport}`;
  }

  async #visit(number: number): Promise<RowQuery> {
    const campaign = `visit-${number}`;
    await clicks(this.#context, [{ coupon: this.#couponId, at: '2026-11-01T12:00:00Z', visitor: campaign, campaign }]);
    return `select 1 from clicks where campaign = '${campaign}'`;
  }

  async #application(number: number): Promise<RowQuery> {
    const login = `applicant${number}`;
    const id = await submit(this.#context, { login, email: `${login}@mail.example`, couponCode: `CODE${number}` });
    return `select 1 from registrations where id = ${id} and login = '${login}'`;
  }
}
