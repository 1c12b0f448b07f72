import { type Api, createApi } from 'affiliate-program-client';
import type { Clock } from '../../domain/clock.ts';
import type { User } from '../../domain/users/user.ts';
import { theContract } from '../support/contract.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { coupon, payoutDetails } from '../support/program.ts';
import { TestClock, TestService } from '../support/service.ts';

/** A service with an admin and an affiliate, and a client for each. */
export interface ClientFixture {
  service: TestService;
  baseUrl: string;
  admin: Api;
  adminToken: string;
  affiliate: Api;
  affiliateToken: string;
  user: User;
  couponId: number;
}

/** For deliveries that other processes verify by their own clocks. */
export const realClock: Clock = { now: () => Date.now() };

export async function startClientFixture(engine: Engine, clock: Clock = new TestClock()): Promise<ClientFixture> {
  const service = await (await TestService.start({ databaseUrl: await engine.freshUrl(), clock })).withoutLimits();
  const user = await service.user('trail', 'affiliate');
  const { token: adminToken } = await service.key(await service.user('boss', 'administrator'), ['read', 'write', 'manage']);
  const { token: affiliateToken } = await service.key(user, ['read', 'write']);
  await payoutDetails(service, { userId: user.id, method: 'PayPal', methodType: 'paypal', details: { email: 'trail@shop.example' } });
  const baseUrl = `${service.origin}/api/v2`;
  const apiWith = (token: string): Api => createApi({ baseUrl, token, fetch: fetchAndCheck });
  return {
    service,
    baseUrl,
    user,
    adminToken,
    affiliateToken,
    admin: apiWith(adminToken),
    affiliate: apiWith(affiliateToken),
    couponId: await coupon(service, 'TRAIL10', { userId: user.id }),
  };
}

/** Checks every response against the contract, as all tests of the service do. */
async function fetchAndCheck(request: Request): Promise<Response> {
  const contract = await theContract();
  const { operationId } = contract.router.matchOperation({ method: request.method, path: new URL(request.url).pathname }) ?? {};
  if (!operationId) throw new Error(`The contract has no ${request.method} ${request.url}.`);
  const response = await fetch(request);
  const body: unknown = await response.clone().json();
  const reply = { status: response.status, headers: Object.fromEntries(response.headers), body, toHead: false };
  const faults = contract.checkResponse(operationId, reply);
  if (faults.length > 0) throw new Error(`${request.method} ${request.url} broke the contract:\n${faults.join('\n')}`);
  return response;
}

export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('The promise was not rejected.');
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The client does not depend on the engine: calls.test.ts tries every operation on both, the other files need one. */
export const onSqlite = (describeTests: (engine: Engine) => void): void =>
  forEachEngine((engine) => {
    if (engine.name === 'sqlite') describeTests(engine);
  });
