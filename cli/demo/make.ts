import { visitorHasher } from '../../domain/clicks/visitor.ts';
import { dayOf } from '../../domain/dates.ts';
import type { Transaction, UnitOfWork } from '../../domain/ports.ts';
import type { SecureRandom } from '../../domain/random.ts';
import { secretsOf } from '../../domain/secrets.ts';
import { recordUser } from '../../domain/users/record.ts';
import type { Role } from '../../domain/users/user.ts';
import { trail } from './affiliates.ts';
import { calendarUntil } from './calendar.ts';
import { type Credentials, giveCredentials } from './credentials.ts';
import { Paydays } from './paydays.ts';
import { type DemoSize, planDemo } from './plan.ts';
import { chanceOf } from './random.ts';
import { openShop, shopZone } from './shop.ts';
import { makeWebhook } from './webhooks.ts';
import { Year } from './year.ts';

/** The day on which Fjell Outdoor was thought of. Another seed is another shop. */
const seed = 20_261_115;

export interface DemoParts {
  /** Empty, with all tables. */
  storage: UnitOfWork;
  masterKey: string;
  /** The year ends on the day before, so that "the last 30 days" has orders. The same moment gives the same store. */
  now: number;
  /** For keys and passwords alone. */
  random: SecureRandom;
  size: DemoSize;
  /** Runs a part of the work, and tells people of it. The work says now and then how much of it is done, from 0 to 1. */
  stage?<Result>(what: string, work: (progress: (part: number) => void) => Promise<Result>): Promise<Result>;
}

/** Makes a year of a shop, through the same functions by which the data of a real one comes in. */
export async function makeDemo({
  storage,
  masterKey,
  now,
  random,
  size,
  stage = (_what, work) => work(() => {}),
}: DemoParts): Promise<Credentials> {
  const chance = chanceOf(seed);
  const { program, policy } = await openShop(storage);
  const calendar = calendarUntil(dayOf(now, shopZone), shopZone, chance);
  const plan = planDemo(size, calendar, chance);
  const secrets = secretsOf('payout_details', masterKey, random);
  const surroundings = { storage, program, calendar, chance, random, secrets, hashVisitor: visitorHasher(masterKey) };
  const adminId = await storage.write((transaction) => makeStaff(transaction, calendar.nightOf(0)));
  const year = new Year(plan, adminId, new Paydays(policy, surroundings), surroundings);
  await stage(`${number(size.affiliates)} affiliates with their coupons`, () => year.begin());
  await stage(`${number(size.orders)} orders, ${number(size.clicks)} clicks, and a payday every week`, (progress) => year.live(progress));
  const lastNight = calendar.nightOf(calendar.days.length - 1);
  const webhookSecrets = secretsOf('webhook_secret', masterKey, random);
  await storage.write((transaction) => makeWebhook(transaction, adminId, { now: lastNight, random, secrets: webhookSecrets }));
  const accounts = { adminId, affiliateId: year.userIdOf(trail), couponId: year.couponIdOf(trail) };
  return storage.write((transaction) => giveCredentials(transaction, accounts, { now, random }));
}

const number = (value: number): string => value.toLocaleString('en');

const staff: readonly { login: string; displayName: string; role: Role }[] = [
  { login: 'admin', displayName: 'Fjell Outdoor', role: 'administrator' },
  { login: 'desk', displayName: 'Affiliate Desk', role: 'manager' },
  { login: 'customer', displayName: 'A Customer', role: 'customer' },
];

/** The id of the first of them. */
async function makeStaff(transaction: Transaction, yearBegan: number): Promise<number> {
  const now = yearBegan - 900 * 86_400_000;
  const ids: number[] = [];
  for (const user of staff) ids.push((await recordUser(transaction, { ...user, email: `${user.login}@fjell.example` }, { now })).id);
  return ids[0] ?? 0;
}
