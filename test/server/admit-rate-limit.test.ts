import { expect } from 'chai';
import { MemoryWindowCounters } from '../../db/engine/sqlite/memory-counters.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Caller } from '../../domain/users/user.ts';
import type { Identity } from '../../server/auth/identity.ts';
import type { Lockout } from '../../server/auth/lockout.ts';
import type { RequestContext } from '../../server/http/request-context.ts';
import { admit, bucketOf } from '../../server/limits/admit.ts';
import type { RateIdentity } from '../../site/extension.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { koaContext } from '../support/koa-context.ts';
import { TestClock } from '../support/service.ts';

const { settings } = buildSettings({ 'limits.authenticated': 3, 'limits.anonymous': 1 });
const withKey: Caller = { user: { id: 7 } as Caller['user'], method: 'api_key', keyId: 3, scopes: ['read'] };
const ofKey: Identity = { kind: 'caller', caller: withKey };
const ofUser: Identity = { kind: 'caller', caller: { ...withKey, keyId: null } };

describe('the budget of a request', () => {
  it('is that of the key, else of the user, else the one that all anonymous callers share', () => {
    expect([ofKey, ofUser, { kind: 'anonymous' } as const].map(bucketOf)).to.deep.equal(['key:3', 'user:7', 'anonymous']);
  });
});

describe('admit, of a budget,', () => {
  let clock: TestClock;
  let asked: RateIdentity[];
  let counters: MemoryWindowCounters;
  beforeEach(() => {
    clock = new TestClock();
    asked = [];
    counters = new MemoryWindowCounters(clock);
  });
  const rateCeiling = (identity: RateIdentity, byDefault: number): number => {
    asked.push(identity);
    return byDefault;
  };
  /** A request with a key whose owner is known, from an address that may be locked out. */
  const admitAs = (identity: Identity, lockedOut: ApiError | null, ctx: RequestContext): Promise<string> => {
    const authenticator = { identify: () => identity, identifyCached: () => (identity.kind === 'caller' ? identity : null) };
    const lockout = { check: async () => lockedOut, recordFailure: async () => null } as unknown as Lockout;
    return admit({ authenticator, lockout, counters, rateCeiling, allowPlainHttp: true })(ctx as never, async () => 'next');
  };
  const request = (): RequestContext => koaContext({ authorization: 'Bearer svc_1' }, { settings, address: '192.0.2.7' });
  /** `next`, or the code of the error; and the rate limit headers. */
  const send = async (identity: Identity, lockedOut: ApiError | null = null): Promise<[string, ...string[]]> => {
    const ctx = request();
    const outcome = await admitAs(identity, lockedOut, ctx).catch((error: ApiError) => error.code);
    return [outcome, ...['RateLimit-Policy', 'RateLimit'].map((name) => `${name}: ${ctx.state.headers[name]}`)];
  };

  it('allows as many requests as its policy names, and reports with each how many are left', async () => {
    const policy = 'RateLimit-Policy: "auth";q=3;w=60';
    expect([await send(ofKey), await send(ofKey)]).to.deep.equal([
      ['next', policy, 'RateLimit: "auth";r=2;t=60'],
      ['next', policy, 'RateLimit: "auth";r=1;t=60'],
    ]);
    clock.advance(20);
    expect([await send(ofKey), await send(ofKey)]).to.deep.equal([
      ['next', policy, 'RateLimit: "auth";r=0;t=40'],
      ['svc_api_rate_limited', policy, 'RateLimit: "auth";r=0;t=40'],
    ]);
    clock.advance(40);
    expect((await send(ofKey))[0]).to.equal('next');
  });

  it('reports the length of the window with a 429', async () => {
    await send({ kind: 'anonymous' });
    const error = await admitAs({ kind: 'anonymous' }, null, request()).catch((thrown: unknown) => thrown);
    expect(error)
      .to.be.instanceOf(ApiError)
      .with.deep.property('details', { data: { retry_after: 60 } });
  });

  it('counts each key, each user and all anonymous callers separately, and uses the ceilings of the site', async () => {
    expect([(await send({ kind: 'anonymous' }))[0], (await send({ kind: 'anonymous' }))[0]]).to.deep.equal([
      'next',
      'svc_api_rate_limited',
    ]);
    expect((await send({ kind: 'anonymous' })).slice(1)).to.deep.equal([
      'RateLimit-Policy: "anonymous";q=1;w=60',
      'RateLimit: "anonymous";r=0;t=60',
    ]);
    expect([(await send(ofKey))[2], (await send(ofUser))[2]]).to.deep.equal(['RateLimit: "auth";r=2;t=60', 'RateLimit: "auth";r=2;t=60']);
    expect(asked.slice(3)).to.deep.equal([
      { kind: 'key', keyId: 3, userId: 7 },
      { kind: 'user', userId: 7 },
    ]);
    expect(asked[0]).to.deep.equal({ kind: 'anonymous' });
  });

  it('does not count rejected credentials and passes them on, and answers a locked-out address itself', async () => {
    const rejected: Identity = { kind: 'rejected', error: new ApiError('svc_api_invalid_key') };
    const locked = new ApiError('svc_api_too_many_auth_failures');
    for (let at = 0; at < 3; at += 1) {
      expect((await send(rejected))[0]).to.equal('next');
      expect((await send(rejected, locked))[0]).to.equal('svc_api_too_many_auth_failures');
    }
    expect((await send({ kind: 'anonymous' }))[0]).to.equal('next');
    expect([(await send(rejected))[0], (await send({ kind: 'anonymous' }))[0]]).to.deep.equal(['next', 'svc_api_rate_limited']);
    expect((await send(rejected))[0]).to.equal('next');
  });

  it('takes nothing from the budget of a key while the address is locked out', async () => {
    const locked = new ApiError('svc_api_too_many_auth_failures');
    for (let at = 0; at < 4; at += 1)
      expect(await send(ofKey, locked)).to.deep.equal([
        'svc_api_too_many_auth_failures',
        'RateLimit-Policy: "anonymous";q=1;w=60',
        'RateLimit: "anonymous";r=1;t=0',
      ]);
    expect((await send(ofKey))[2]).to.equal('RateLimit: "auth";r=2;t=60');
  });
});
