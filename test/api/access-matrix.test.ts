import { expect } from 'chai';
import type { User } from '../../domain/users/user.ts';
import { type OperationId, operations, type Scope } from '../../generated/operations.ts';
import { handlers } from '../../handlers/index.ts';
import { mainlyOn } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { startService, type TestService } from '../support/service.ts';

// Made from the contract: it grows by itself with every operation that gets a handler.
const scopeSets: Scope[][] = [['read'], ['write'], ['manage'], ['read', 'write', 'manage']];
const people = ['customer', 'affiliate', 'other_affiliate', 'upline', 'manager', 'administrator'] as const;
const password = 'a password for tests';

const roleOf = (person: (typeof people)[number]) => (person === 'other_affiliate' || person === 'upline' ? 'affiliate' : person);

/** A request that is right in everything but, perhaps, who sends it. */
const bodies: Partial<Record<OperationId, unknown>> = {
  post_affiliates_id_status: { status: 'active' },
  post_keys: { scopes: ['manage'] },
  post_adjustments: { coupon_id: 999_999, amount: 1, note: 'A bonus' },
  post_payouts: { coupon_id: 999_999 },
  post_payouts_id_status: { status: 'paid' },
  post_payout_runs: { preview: true },
  post_payout_batches: { format: 'csv' },
  post_payout_batches_id_status: { status: 'paid' },
  post_risk_signals_id_status: { status: 'dismissed' },
  post_registrations_id_status: { status: 'accepted' },
  post_registrations_id_preview: { status: 'accepted' },
  put_me_payout_details: { method_type: 'credit', details: {} },
  patch_me_profile: { phone: '1' },
  patch_settings: {},
  ...Object.fromEntries(Object.keys(operations).flatMap((id) => (id.startsWith('post_store_') ? [[id, [{}]]] : []))),
  post_store_connections: { platform: 'shopify' },
  put_store_connections_id_secret: {},
};
const pathOf = (operationId: OperationId): string => operations[operationId].path.replace(/\{\w+\}/g, '999999');

type Verdict = 'allowed' | 'svc_api_unauthorized' | 'svc_api_insufficient_scope' | 'svc_api_forbidden' | 'svc_api_confirm_password';

/** What the contract's own words mean for a caller. */
function expected(
  operationId: OperationId,
  person: (typeof people)[number] | 'anonymous',
  { name, scopes }: Omit<Way, 'headers'>,
): Verdict {
  const rule: { access: readonly string[]; scope: Scope | 'none'; confirmPassword: boolean | 'code' } = operations[operationId];
  const { access, scope, confirmPassword } = rule;
  if (access.includes('public')) return 'allowed';
  if (person === 'anonymous') return 'svc_api_unauthorized';
  if (scope !== 'none' && scopes !== null && !scopes.includes(scope)) return 'svc_api_insufficient_scope';
  const roles: Record<string, readonly string[]> = { admin: ['administrator', 'manager'], administrator: ['administrator'] };
  if (access.every((level) => roles[level]?.includes(person) === false)) return 'svc_api_forbidden';
  return confirmPassword && name === 'session' ? 'svc_api_confirm_password' : 'allowed';
}

/** One of the ways in that a person has. */
interface Way {
  name: string;
  /** Null where all that the person may do is open. */
  scopes: Scope[] | null;
  headers: Record<string, string>;
}

async function waysOf(service: TestService, user: User, keys: readonly Scope[][]): Promise<Way[]> {
  const ways: Way[] = [];
  for (const scopes of keys) ways.push({ name: scopes.join(' '), scopes, headers: (await service.key(user, scopes)).headers });
  ways.push({ name: 'basic', scopes: null, headers: await service.appPassword(user) });
  ways.push({ name: 'session', scopes: null, headers: await service.staleSession(user.login, password) });
  return ways;
}

mainlyOn('sqlite', (engine) => {
  describe('the access matrix', () => {
    const service = suiteFixture(() =>
      startService(engine, {
        settings: { 'addons.store': true, 'addons.insights': true, 'addons.management': true, 'addons.risk': true, 'addons.agents': true },
      }),
    );
    const ways = new Map<string, Way[]>();
    // The scopes of a key are read from the database, what they allow is not: on PostgreSQL one with a part and one with all are enough.
    const keys = engine.name === 'sqlite' ? scopeSets : [scopeSets[0] ?? [], scopeSets.at(-1) ?? []];
    before(async () => {
      for (const person of people) ways.set(person, await waysOf(service, await service.user(person, roleOf(person), { password }), keys));
    });

    async function verdict(operationId: OperationId, headers: Record<string, string>): Promise<Verdict> {
      const client = await service.client(headers);
      const json = bodies[operationId];
      const { status, body } = await client.call(
        operations[operationId].method.toUpperCase(),
        pathOf(operationId),
        json === undefined ? {} : { json },
      );
      return status === 401 || status === 403 ? body.code : 'allowed';
    }

    for (const operationId of Object.keys(handlers) as OperationId[]) {
      it(`answers anonymous callers of ${operationId} as the contract declares`, async () => {
        expect(await verdict(operationId, {})).to.equal(expected(operationId, 'anonymous', { name: 'none', scopes: null }));
      });

      for (const person of people)
        it(`answers ${person} at ${operationId} as the contract declares, with ${keys.length} sets of scopes, by key, password and session`, async () => {
          expect(ways.get(person)).to.have.length(keys.length + 2);
          for (const way of ways.get(person) ?? [])
            expect(await verdict(operationId, way.headers), way.name).to.equal(expected(operationId, person, way));
        });
    }
  });
});
