import { type Api, createApi } from 'affiliate-program-client';
import type { Clock } from '../../domain/clock.ts';
import type { User } from '../../domain/users/user.ts';
import { theContract } from '../support/contract.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { coupon, payoutDetails } from '../support/program.ts';
import { TestClock, TestService } from '../support/service.ts';

/** A store with an admin and an affiliate, both with the package's client. */
export interface ClientStore {
  service: TestService;
  baseUrl: string;
  admin: Api;
  adminToken: string;
  affiliate: Api;
  affiliateToken: string;
  user: User;
  couponId: number;
}

/** What other programs verify by their own clocks must be signed by the real one. */
export const realClock: Clock = { now: () => Date.now() };

export async function openClientStore(engine: Engine, clock: Clock = new TestClock()): Promise<ClientStore> {
  const service = await (await TestService.start({ databaseUrl: await engine.freshUrl(), clock })).withoutLimits();
  const user = await service.user('trail', 'affiliate');
  const { token: adminToken } = await service.key(await service.user('boss', 'administrator'), ['read', 'write', 'manage']);
  const { token: affiliateToken } = await service.key(user, ['read', 'write']);
  await payoutDetails(service, { userId: user.id, method: 'PayPal', methodType: 'paypal', details: { email: 'trail@shop.example' } });
  const baseUrl = `${service.origin}/api/v2`;
  const as = (token: string): Api => createApi({ baseUrl, token, fetch: checked });
  return {
    ...{ service, baseUrl, user, adminToken, affiliateToken, admin: as(adminToken), affiliate: as(affiliateToken) },
    couponId: await coupon(service, 'TRAIL10', { userId: user.id }),
  };
}

/** Holds every answer against the contract, as all tests of the service do. */
export async function checked(request: Request): Promise<Response> {
  const contract = await theContract();
  const match = contract.match(request.method, new URL(request.url).pathname);
  if (!match.found) throw new Error(`The contract has no ${request.method} ${request.url}.`);
  const response = await fetch(request);
  const body: unknown = await response.clone().json();
  const reply = { status: response.status, headers: Object.fromEntries(response.headers), body, toHead: false };
  const faults = contract.checkReply(match.operation.operationId, reply);
  if (faults.length > 0) throw new Error(`${request.method} ${request.url} broke the contract:\n${faults.join('\n')}`);
  return response;
}

export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}

export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The client cares for no engine, so one is enough where no operation is tried for the first time. */
export const onOneEngine = (describeTests: (engine: Engine) => void): void =>
  forEachEngine((engine) => {
    if (engine.name === 'sqlite') describeTests(engine);
  });
