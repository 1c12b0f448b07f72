import { createVisitorHasher } from '../../domain/clicks/record.ts';
import { dayOf } from '../../domain/dates.ts';
import { createKey } from '../../domain/keys/manage.ts';
import type { KeyRing } from '../../domain/master-key/key-ring.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import type { Program } from '../../domain/program.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import { connectStore, createStoreSecret } from '../../domain/store/manage-connections.ts';
import type { HeavyReads, Transaction, UnitOfWork } from '../../domain/unit-of-work.ts';
import { createAppPassword } from '../../domain/users/app-password.ts';
import { hashPassword, setPassword } from '../../domain/users/password.ts';
import { recordUser } from '../../domain/users/record.ts';
import type { Role, User } from '../../domain/users/user.ts';
import { changeWebhook, createWebhook, recordTestOutcome, type WebhookCreationContext } from '../../domain/webhooks/manage.ts';
import { testEvent } from '../../domain/webhooks/webhook.ts';
import type { Scope } from '../../generated/operations.ts';
import { scan } from '../../server/jobs/risk-job.ts';
import { openSettings } from '../../server/site.ts';
import { buildPayoutPolicy, buildProgram } from '../../site/program.ts';
import { operatorAs } from '../operator.ts';
import { formatCount } from '../terminal/format.ts';
import { planAffiliates, planApplications } from './affiliate-plan.ts';
import { type Calendar, createCalendar, dayMilliseconds } from './calendar.ts';
import {
  addStoryOrders,
  exampleReceiver,
  storyConnection,
  storyIds,
  storyKey,
  storyOrders,
  storyWebhooks,
  trailIndex,
} from './contract-story.ts';
import { createSeededRandom, createSiteNames, type SeededRandom } from './names.ts';
import { planYear, type SellingCoupon } from './order-plan.ts';
import { PayoutSimulation } from './payout-simulation.ts';
import type { PlannedAffiliate } from './plan.ts';
import { addRiskOrders, riskAffiliates, riskOrders } from './risk-cases.ts';
import { type DemoPlan, firstCouponIndexes, YearSimulation } from './simulation.ts';

/** Another seed gives another store. */
const seed = 20_261_115;
const zone = 'Europe/Berlin';

/** Two weeks of clearing, so that there is commission that is not cleared yet. Three payments, so that the limit is soon seen. Declined applications are older than the default keeps them. */
const settings: Record<string, unknown> = {
  'store.name': 'Fjell Outdoor',
  'store.url': 'https://fjell.example',
  'store.currency': 'EUR',
  'store.timezone': zone,
  'commission.percent': 10,
  'commission.clearing_days': 14,
  'multi_level.rates': [10, 5],
  'addons.store': true,
  'addons.insights': true,
  'addons.management': true,
  'addons.agents': true,
  'addons.risk': true,
  'payouts.threshold': 25,
  'recurring.payments': 3,
  'privacy.declined_days': 0,
};

export interface DemoParts {
  /** Empty, with all tables. */
  storage: UnitOfWork<Repositories> & HeavyReads<Repositories>;
  masterKey: KeyRing;
  /** The year ends on the day before, so that the last 30 days have orders. The same moment gives the same store. */
  now: number;
  /** For keys and passwords only. */
  random: SecureRandom;
  /** How many orders the year has. */
  orders: number;
  /** Where the webhook of the examples sends to. Without it, the webhook is disabled. */
  receiverUrl?: string | undefined;
  /** Runs one stage and reports its progress: `work` calls back with the part that is done, from 0 to 1. */
  runStage?<Result>(what: string, work: (progress: (part: number) => void) => Promise<Result>): Promise<Result>;
}

/** Creates a store with a year of data, through the same domain functions as real data. */
export async function createDemo({
  storage,
  masterKey,
  now,
  random,
  orders,
  receiverUrl,
  runStage = (_what, work) => work(() => {}),
}: DemoParts): Promise<DemoCredentials> {
  const seeded = createSeededRandom(seed);
  const { program, policy } = await setUpStore(storage);
  const calendar = createCalendar(dayOf(now, zone), zone, seeded);
  const plan = planDemo(orders, calendar, seeded);
  const secrets = createSecrets('payout_details', masterKey, random);
  const adminId = await storage.write((transaction) => createStaff(transaction, program, calendar.nightOf(0) - 900 * dayMilliseconds));
  const context = { storage, program, calendar, secrets, hashVisitor: createVisitorHasher(masterKey.visitorKey), adminId };
  const year = new YearSimulation(plan, new PayoutSimulation(policy, context), context);
  await runStage(`${formatCount(plan.affiliates.length)} affiliates with their coupons`, () => year.prepare());
  const volume = `${formatCount(orders)} orders, ${formatCount(clicksFor(orders))} clicks, and a payday every week`;
  await runStage(volume, (progress) => year.run(progress));
  const lastNight = calendar.nightOf(calendar.days.length - 1);
  const webhookContext = { now: lastNight, random, secrets: createSecrets('webhook_secret', masterKey, random) };
  await storage.write((transaction) => addWebhooks(transaction, adminId, receiverUrl, webhookContext));
  const connection = { ...storyConnection, id: storyIds.connection, secret: createStoreSecret(random) };
  const connectionContext = { ...webhookContext, secrets: createSecrets('store_secret', masterKey, random) };
  await storage.write((transaction) => connectStore(transaction, connection, connectionContext));
  await scan({ storage, settings: openSettings(storage), masterKey, clock: { now: () => lastNight }, isFull: true });
  return storage.write(async (transaction) => {
    const owner = operatorAs(await getUser(transaction, year.getUserId(trailIndex)));
    await createKey(transaction, owner, { ...storyKey, id: storyIds.key }, { now: lastNight, zone, random });
    const admin = await createAccess(transaction, adminId, ['read', 'write', 'manage'], now, random);
    const { user_id, ...access } = await createAccess(transaction, year.getUserId(trailIndex), ['read', 'write'], now, random);
    return { admin, affiliate: { user_id, coupon_id: year.getCouponId(trailIndex), ...access } };
  });
}

async function setUpStore(storage: UnitOfWork<Repositories>) {
  const stored = openSettings(storage);
  for (const [path, value] of Object.entries(settings)) await stored.set(path, value);
  const current = await stored.current();
  // Without gateways: the payouts are decided by hand.
  return { program: buildProgram(current), policy: buildPayoutPolicy(current, new Map()) };
}

const clicksFor = (orders: number): number => 2 * orders;

function planDemo(orders: number, calendar: Calendar, random: SeededRandom): DemoPlan {
  const nextName = createSiteNames(random);
  const affiliates = planAffiliates(Math.min(240, 20 + Math.floor(orders / 80)), nextName, random);
  const applications = planApplications(calendar.days.length, nextName, random);
  const ordinary = { orders: orders - storyOrders - riskOrders, clicks: clicksFor(orders) };
  const days = planYear(listSellingCoupons(affiliates), ordinary, calendar, random);
  addStoryOrders(days, firstCouponIndexes(affiliates)[trailIndex] ?? 0, calendar);
  affiliates.push(...riskAffiliates);
  addRiskOrders(days, firstCouponIndexes(affiliates).at(-riskAffiliates.length) ?? 0, calendar);
  const unassigned = { code: 'WELCOME5', status: 'publish', percent: null, discountType: 'percent', discount: 5 } as const;
  return { affiliates, applications, unassigned, days };
}

function listSellingCoupons(affiliates: readonly PlannedAffiliate[]): SellingCoupon[] {
  const indexes = firstCouponIndexes(affiliates);
  return affiliates.flatMap(({ coupons, weight, joined: since, login: site }, at) =>
    coupons.flatMap((coupon, number) => {
      if (coupon.status !== 'publish') return [];
      const discount = coupon.discountType === 'percent' ? { percent: coupon.discount } : { cents: coupon.discount };
      // An affiliate's second coupon sells less.
      return [{ index: (indexes[at] ?? 0) + number, weight: weight / (1 + 3 * number), discount, since, site }];
    }),
  );
}

const staff: readonly { login: string; displayName: string; role: Role }[] = [
  { login: 'admin', displayName: 'Fjell Outdoor', role: 'administrator' },
  { login: 'desk', displayName: 'Affiliate Desk', role: 'manager' },
  { login: 'customer', displayName: 'A Customer', role: 'customer' },
];

/** Returns the id of the administrator. */
async function createStaff(transaction: Transaction<Repositories>, program: Program, now: number): Promise<number> {
  const ids: number[] = [];
  const context = { now, program, userId: 0, origin: 'file', allowPrivileged: true } as const;
  for (const user of staff) ids.push((await recordUser(transaction, { ...user, email: `${user.login}@fjell.example` }, context)).id);
  return ids[0] ?? 0;
}

/** Disabled without a receiver. */
async function addWebhooks(
  transaction: Transaction<Repositories>,
  adminId: number,
  receiverUrl: string | undefined,
  context: WebhookCreationContext,
): Promise<void> {
  const caller = operatorAs(await getUser(transaction, adminId));
  for (const webhook of storyWebhooks) {
    await createWebhook(transaction, caller, { ...webhook, url: receiverUrl ?? exampleReceiver }, context);
    if (receiverUrl === undefined) await changeWebhook(transaction, caller, webhook.id, { status: 'disabled' }, context.now + 60_000);
  }
  if (receiverUrl !== undefined) await addDelivery(transaction, context);
}

/** Replaces the webhooks if the receiver has another address than in the last run. One that was deleted stays so. */
export async function moveWebhooks(
  transaction: Transaction<Repositories>,
  adminId: number,
  receiverUrl: string,
  context: WebhookCreationContext,
): Promise<void> {
  const caller = operatorAs(await getUser(transaction, adminId));
  for (const webhook of storyWebhooks) {
    const existing = await transaction.webhooks.byId(webhook.id);
    if (existing?.name !== webhook.name || existing.url === receiverUrl) continue;
    await transaction.webhooks.remove(existing.id);
    await createWebhook(transaction, caller, { ...webhook, url: receiverUrl }, context);
    if (webhook.id === storyIds.webhook) await addDelivery(transaction, context);
  }
}

/** That of the examples, which can be sent again. */
async function addDelivery(transaction: Transaction<Repositories>, { now }: WebhookCreationContext): Promise<void> {
  const { deliveries } = transaction;
  const { webhook: webhookId, delivery: id } = storyIds;
  if ((await deliveries.webhookOf(id)) !== null) return;
  await deliveries.insertTest({ id, webhookId, event: testEvent, createdAt: now, data: { message: 'This is a test delivery.' } });
  const outcome = { kind: 'answered', code: 204, retryAfter: null, excerpt: '', milliseconds: 12 } as const;
  await recordTestOutcome(transaction, { id, webhookId }, outcome, now);
}

async function getUser({ users }: Transaction<Repositories>, id: number): Promise<User> {
  const user = await users.byId(id);
  if (!user) throw new Error(`The demo store has no user ${id}.`);
  return user;
}

interface DemoAccess {
  user_id: number;
  token: string;
  login: string;
  app_password: string;
  /** For the sign-in page. */
  password: string;
}

/** The content of credentials.json, without the address. */
export interface DemoCredentials {
  admin: DemoAccess;
  affiliate: DemoAccess & { coupon_id: number };
}

/** With secure random numbers, unlike everything else here. */
async function createAccess(
  transaction: Transaction<Repositories>,
  userId: number,
  scopes: Scope[],
  now: number,
  random: SecureRandom,
): Promise<DemoAccess> {
  const user = await getUser(transaction, userId);
  const { token } = await createKey(transaction, operatorAs(user), { description: 'demo', scopes }, { now, zone, random });
  const { password: appPassword } = await createAppPassword(transaction, user, { name: 'demo' }, { now, userId: 0, random });
  const password = random.bytes(9).toString('base64url');
  await setPassword(transaction, userId, await hashPassword(password, random));
  return { user_id: userId, token, login: user.login, app_password: appPassword, password };
}
