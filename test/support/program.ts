import { plainTerms } from '../../domain/coupons/coupon.ts';
import { createCoupon } from '../../domain/coupons/create.ts';
import type { NewCouponTerms } from '../../domain/coupons/terms.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { exactMinor } from '../../domain/money.ts';
import { recordOrders } from '../../domain/order-recording/record.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import { type NewPayoutDetails, savePayoutDetails } from '../../domain/payout-details/save.ts';
import type { Program } from '../../domain/program.ts';
import { systemRandom } from '../../domain/random.ts';
import { setParent } from '../../domain/users/create.ts';
import { buildProgram } from '../../site/program.ts';
import { masterKey, type TestService } from './service.ts';

// Records program data through the domain functions, as the import does.

const programIn = async ({ settings }: Pick<TestService, 'settings'>): Promise<Program> => buildProgram(await settings.current());

/** Creates a coupon, by default published now with the store's terms, and returns its id. */
export async function coupon(service: TestService, code: string, terms: Partial<NewCouponTerms> = {}): Promise<number> {
  const now = service.clock.now();
  const made = { code, userId: null, status: 'publish', createdAt: now, ...plainTerms, ...terms } as const;
  const { coupon } = await service.storage.write((transaction) => createCoupon(transaction, made, { now, userId: 0 }));
  return coupon.id;
}

/** An order in the store's currency, as people write it: `total: 179.8`. */
export interface OrderSample {
  id: number;
  coupon: number;
  /** UTC. */
  at: string;
  status?: OrderStatus;
  total?: number;
  discount?: number;
  shipping?: number;
  tax?: number;
  refunded?: number;
  quantity?: number;
  campaign?: string;
  visitor?: string;
}

/** What recording orders needs of a service, or of another process on its database. */
export type ProgramService = Pick<TestService, 'settings' | 'clock' | 'hashVisitor' | 'storage'>;

/** Records orders or changes of them. Throws if one is refused. */
export async function orders(service: ProgramService, samples: readonly OrderSample[]): Promise<void> {
  const program = await programIn(service);
  const minor = (amount = 0): number => {
    const exact = exactMinor(amount, program.currency);
    if (exact === null) throw new Error(`${amount} is no amount of ${program.currency}.`);
    return exact;
  };
  const incoming = samples.map(({ id, coupon, at, status = 'completed', quantity = 1, campaign, visitor, ...amounts }) => ({
    orderId: id,
    couponId: coupon,
    placedAt: Date.parse(at),
    status,
    quantity,
    campaign,
    visitor,
    total: minor(amounts.total ?? 100),
    discount: minor(amounts.discount),
    shipping: minor(amounts.shipping),
    tax: minor(amounts.tax),
    refunded: minor(amounts.refunded),
  }));
  const context = { program, now: service.clock.now(), userId: 0, hashVisitor: service.hashVisitor };
  const outcomes = await service.storage.write((transaction) => recordOrders(transaction, incoming, context));
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused' || outcome === 'unattributed');
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
}

/** Sets the parent of a user. */
export const parent = (service: TestService, userId: number, parentId: number | null): Promise<void> =>
  service.storage.write((transaction) => setParent(transaction, userId, parentId));

export async function payoutDetails(service: TestService, newDetails: NewPayoutDetails): Promise<void> {
  const secrets = createSecrets('payout_details', masterKey, systemRandom);
  const context = { ...secrets, now: service.clock.now(), userId: newDetails.userId };
  await service.storage.write((transaction) => savePayoutDetails(transaction, newDetails, context));
}

/** Valid details of a bank transfer. */
export const bankDetails = (holder: string): Record<string, string> => ({
  holder,
  iban: 'DE89370400440532013000',
  town: 'Berlin',
  country: 'DE',
});

let lastOrderId = 0;
/** An id that no other order of this run has. */
export const newOrderId = (): number => {
  lastOrderId += 1;
  return lastOrderId;
};

/** The three orders of the contract's examples, in the time zone of Berlin, and one of every status that does not count as a sale. */
export const exampleOrders = (coupon: number): OrderSample[] => [
  { id: newOrderId(), coupon, at: '2026-10-05T12:31:07Z', total: 179.8, discount: 17.98, shipping: 4.9 },
  { id: newOrderId(), coupon, at: '2026-10-12T18:03:55Z', total: 240, discount: 24, shipping: 4.9, refunded: 54 },
  { id: newOrderId(), coupon, at: '2026-10-21T07:12:00Z', status: 'processing', total: 99.9, discount: 9.99, shipping: 4.9 },
  { id: newOrderId(), coupon, at: '2026-10-21T07:12:00Z', status: 'cancelled', total: 1000, shipping: 5 },
  { id: newOrderId(), coupon, at: '2026-10-21T08:12:00Z', status: 'failed', total: 1000, discount: 5 },
  { id: newOrderId(), coupon, at: '2026-10-21T09:12:00Z', status: 'pending', total: 1000 },
  { id: newOrderId(), coupon, at: '2026-10-21T10:12:00Z', status: 'refunded', total: 1000, refunded: 1000 },
];

/** The statistics of these orders, at ten percent commission. */
export const exampleFigures = {
  orders_count: 3,
  total_sales: 465.7,
  total_discount: 51.97,
  total_shipping: 14.7,
  total_commission: 41.37,
};
