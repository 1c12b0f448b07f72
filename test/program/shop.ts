import type { Database } from '../../db/database.ts';
import { adjustBalance } from '../../domain/adjustments/adjust.ts';
import type { Adjustment } from '../../domain/adjustments/adjustment.ts';
import { plainTerms } from '../../domain/coupons/coupon.ts';
import { assignCoupon, createCoupon } from '../../domain/coupons/create.ts';
import type { CouponTerms } from '../../domain/coupons/terms.ts';
import { grantDue } from '../../domain/order-recording/apply-changes.ts';
import type { IncomingOrder, OrderOutcome } from '../../domain/order-recording/incoming.ts';
import { recordOrders } from '../../domain/order-recording/record.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { Program } from '../../domain/program.ts';
import { createUser, setParent } from '../../domain/users/create.ts';
import type { Role } from '../../domain/users/user.ts';
import type { ClosableObserver, Engine, Observer } from '../support/engines.ts';
import { at, simpleProgram } from './samples.ts';

export interface FeedEvent {
  kind: string;
  type: string | null;
  objectId: number;
  userId: number;
  info: string;
  data: Record<string, unknown> | null;
}

/** A store with its affiliate program and its own database. */
export class Shop {
  readonly database: Database;
  readonly observer: ClosableObserver;
  readonly databaseUrl: string;
  program: Program;
  now = at('2026-11-02T07:00:00Z');
  /** The acting user; 0 for the system. */
  userId = 0;
  /** Whether assigning a coupon to another owner moves its balance. */
  transferBalance = false;

  private constructor(database: Database, observer: ClosableObserver, program: Program, databaseUrl: string) {
    this.database = database;
    this.observer = observer;
    this.program = program;
    this.databaseUrl = databaseUrl;
  }

  /** On a fresh database, or on the one whose URL is provided. */
  static async open(engine: Engine, program: Partial<Program> = {}, databaseUrl?: string): Promise<Shop> {
    const url = databaseUrl ?? (await engine.freshUrl());
    return new Shop(await engine.open({ url }), await engine.observe(url), { ...simpleProgram, ...program }, url);
  }

  /** Ends its connections, so that its database can be copied. */
  async close(): Promise<void> {
    await this.database.close();
    await this.observer.close();
  }

  async user(login: string, { role = 'customer', parent }: { role?: Role; parent?: number } = {}): Promise<number> {
    const user = { login, email: `${login}@shop.example`, displayName: `The ${login}`, role, registeredAt: this.now, passwordHash: null };
    return this.database.write(async (transaction) => {
      const { id } = await createUser(transaction, user);
      if (parent !== undefined) await setParent(transaction, id, parent);
      return id;
    });
  }

  async coupon(code: string, fields: Partial<Omit<CouponTerms, 'codeFolded'>> = {}): Promise<number> {
    const coupon = { code, userId: null, status: 'publish', createdAt: this.now, ...plainTerms, ...fields } as const;
    return (await this.database.write((transaction) => createCoupon(transaction, coupon, this))).coupon.id;
  }

  /** Creates an affiliate with a coupon. */
  async affiliate(code: string, { parent, ...terms }: Partial<CouponTerms> & { parent?: number } = {}) {
    const userId = await this.user(code.toLowerCase(), parent === undefined ? {} : { parent });
    return { userId, couponId: await this.coupon(code, { ...terms, userId }) };
  }

  assign(couponId: number, userId: number | null): Promise<void> {
    return this.database.write((transaction) => assignCoupon(transaction, couponId, userId, this));
  }

  record(...orders: IncomingOrder[]): Promise<OrderOutcome[]> {
    const context = {
      program: this.program,
      now: this.now,
      userId: this.userId,
      hashVisitor: (visitor: string) => `hash of ${visitor}`,
    };
    return this.database.write((transaction) => recordOrders(transaction, orders, context));
  }

  async outcomes(...orders: IncomingOrder[]): Promise<OrderOutcome['outcome'][]> {
    return (await this.record(...orders)).map(({ outcome }) => outcome);
  }

  /** In the store's currency. */
  adjust(couponId: number, amount: number, note = 'A note.'): Promise<Adjustment> {
    return this.database.write((transaction) => adjustBalance(transaction, { couponId, amount, note }, this));
  }

  async ownerOf(couponId: number): Promise<{ userId: number; couponId: number }> {
    const [coupon] = await this.database.query(({ couponTerms }) => couponTerms.byIds([couponId]));
    if (!coupon?.userId) throw new Error(`Coupon ${couponId} has no affiliate.`);
    return { userId: coupon.userId, couponId };
  }

  grant(limit = 1000): Promise<number> {
    return this.database.write((transaction) => grantDue(transaction, this, limit));
  }

  async order(orderId: number): Promise<Order> {
    const [found] = await this.database.read(({ orders }) => orders.byIds([orderId]));
    if (!found) throw new Error(`There is no order ${orderId}.`);
    return found;
  }

  /** Pending orders, unpaid, pending payout and paid, in minor units. */
  async balances(couponId: number): Promise<[number, number, number, number]> {
    const [row] = await this.observer.query<Record<string, unknown>>(`select * from coupons where id = ${couponId}`);
    const pools = ['pending_order_minor', 'unpaid_minor', 'pending_payout_minor', 'paid_minor'].map((name) => Number(row?.[name]));
    return pools as [number, number, number, number];
  }

  async events(kind?: string): Promise<FeedEvent[]> {
    const where = kind === undefined ? '' : `where kind = '${kind}'`;
    const rows = await this.observer.query<Record<string, unknown>>(`select * from events ${where} order by id`);
    return rows.map((row) => ({
      kind: String(row['kind']),
      type: row['type'] as string | null,
      objectId: Number(row['object_id']),
      userId: Number(row['user_id']),
      info: String(row['info']),
      data: row['data'] === null ? null : JSON.parse(String(row['data'])),
    }));
  }

  /** All rows, as text. */
  async everything(): Promise<string> {
    return JSON.stringify(await contentOf(this.observer), null, 1);
  }
}

/** All rows of the program's tables, in an order that does not depend on the order of writes. */
export async function contentOf(observer: Observer, leaveOut: Record<string, readonly string[]> = {}): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const table of tables) {
    const without = leaveOut[table] ?? [];
    const rows = await observer.query<Record<string, unknown>>(`select * from ${table}`);
    const compared = rows.map((row) => Object.entries(row).filter(([name]) => !without.includes(name)));
    content[table] = compared.map((row) => JSON.stringify(row)).toSorted();
  }
  return content;
}

const tables = [
  'users',
  'coupons',
  'orders',
  'order_shares',
  'lifetime_links',
  'ledger',
  'coupon_days',
  'coupon_totals',
  'clicks',
  'click_days',
  'click_totals',
  'visitor_days',
  'registrations',
  'payout_details',
  'mails',
  'events',
];
