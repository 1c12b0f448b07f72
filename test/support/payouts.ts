import type { MethodType } from '../../domain/payout-details/payout-details.ts';
import { resolvePayout } from '../../domain/payouts/change.ts';
import type { NamedPayout } from '../../domain/payouts/payout.ts';
import type { User } from '../../domain/users/user.ts';
import { buildProgram } from '../../site/program.ts';
import type { CallResult, ContractClient } from './contract-client.ts';
import type { Engine } from './engines.ts';
import { coupon, newOrderId, orders, payoutDetails } from './program.ts';
import { type StartOptions, startService, type TestService } from './service.ts';

/** A service with an admin, and an affiliate with unpaid commission and payout details. */
export interface PayoutStore {
  service: TestService;
  admin: ContractClient;
  affiliate: ContractClient;
  user: User;
  couponId: number;
  /** The coupon's balances as the API returns them. */
  pools(): Promise<{ unpaid: number; pending: number; paid: number }>;
  set(path: string, value: unknown): Promise<void>;
  /** Requests a payout of the coupon as the affiliate. */
  request(headers?: Record<string, string>): Promise<CallResult>;
  /** Changes the status of a payout as the admin. */
  change(payoutId: number, status: string): Promise<CallResult>;
  /** Records an order whose commission of 10 percent is this amount, granted at once. */
  earn(amount: number): Promise<void>;
  /** The kinds of the payout events in the feed, oldest first. */
  kinds(): Promise<string[]>;
}

const ofPayouts = /^payout/;

interface PayoutStoreOptions extends StartOptions {
  earned?: number;
  method?: MethodType | null;
}

export async function openPayoutStore(
  engine: Engine,
  { earned = 100, method = 'paypal', ...options }: PayoutStoreOptions = {},
): Promise<PayoutStore> {
  const service = await startService(engine, options);
  const admin = await service.clientOf(await service.user('boss', 'administrator'), ['read', 'write', 'manage']);
  const user = await service.user('trail', 'affiliate');
  const affiliate = await service.clientOf(user, ['read', 'write']);
  const couponId = await coupon(service, 'TRAIL10', { userId: user.id });
  const store: PayoutStore = {
    service,
    admin,
    affiliate,
    user,
    couponId,
    async pools() {
      const { body } = await admin.get(`/coupons/${couponId}`);
      return { unpaid: body.unpaid_commission, pending: body.pending_payout_commission, paid: body.paid_commission };
    },
    set: (path, value) => service.settings.set(path, value),
    request: (headers = {}) => affiliate.post('/payouts', { json: { coupon_id: couponId }, headers }),
    change: (payoutId, status) => admin.post(`/payouts/${payoutId}/status`, { json: { status } }),
    earn: (amount) => earn(service, couponId, amount),
    async kinds() {
      const { body } = await admin.get<{ event: string }[]>('/events?after=0&per_page=100');
      return body.map(({ event }) => event).filter((kind) => ofPayouts.test(kind) && kind !== 'payout_details');
    },
  };
  if (method) await payoutDetails(service, { userId: user.id, method: 'PayPal', methodType: method, details: { email: canary } });
  if (earned > 0) await store.earn(earned);
  return store;
}

/** Like `affiliate payout resolve <id> --as failed`. */
export async function failPayout({ clock, settings, storage }: TestService, id: number): Promise<NamedPayout> {
  const context = { now: clock.now(), userId: 0, program: buildProgram(await settings.current()) };
  return storage.write((transaction) => resolvePayout(transaction, id, { to: 'failed', atOnce: true }, context));
}

/** A payout destination, which must appear in no output. */
export const canary = 'destination-canary@bank.example';

export const earn = (service: TestService, couponId: number, amount: number): Promise<void> =>
  orders(service, [{ id: newOrderId(), coupon: couponId, at: new Date(service.clock.now()).toISOString(), total: amount * 10 }]);

/** An affiliate with a PayPal account, and a coupon with this much unpaid commission. */
export async function createEarner(service: TestService, login: string, earned: number): Promise<{ user: User; couponId: number }> {
  const user = await service.user(login, 'affiliate');
  await payoutDetails(service, { userId: user.id, method: 'PayPal', methodType: 'paypal', details: { email: `${user.id}@bank.example` } });
  const couponId = await coupon(service, login.toUpperCase(), { userId: user.id });
  if (earned > 0) await earn(service, couponId, earned);
  return { user, couponId };
}
