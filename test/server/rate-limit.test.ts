import { expect } from 'chai';
import { MemoryCounters } from '../../db/engine/sqlite/memory-counters.ts';
import type { Caller } from '../../domain/caller.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Identity } from '../../server/auth/identity.ts';
import type { Request } from '../../server/http/request-context.ts';
import { RateLimit } from '../../server/limits/rate-limit.ts';
import type { RateIdentity } from '../../site/extension.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { TestClock } from '../support/service.ts';

const { settings } = buildSettings({ 'limits.authenticated': 3, 'limits.anonymous': 1 });
const withKey: Caller = { user: { id: 7 } as Caller['user'], method: 'api_key', keyId: 3, scopes: ['read'] };
const ofKey: Identity = { kind: 'caller', caller: withKey };
const ofUser: Identity = { kind: 'caller', caller: { ...withKey, keyId: null } };

describe('the rate limit', () => {
  let clock: TestClock;
  let asked: RateIdentity[];
  let limit: RateLimit;
  beforeEach(() => {
    clock = new TestClock();
    asked = [];
    const ceiling = (identity: RateIdentity, byDefault: number): number => {
      asked.push(identity);
      return byDefault;
    };
    limit = new RateLimit(new MemoryCounters(clock), ceiling);
  });
  /** What becomes of a request: `next`, or the code of the refusal; and the headers that say how much is left. */
  const ask = (identity: Identity): [string, ...string[]] => {
    const headers: string[] = [];
    const ctx = { state: { identity, settings }, res: { setHeader: (name: string, value: string) => headers.push(`${name}: ${value}`) } };
    try {
      return [String(limit.middleware(ctx as unknown as Request as never, (() => 'next') as never)), ...headers];
    } catch (error) {
      return [(error as ApiError).code, ...headers];
    }
  };

  it('lets through as many as it says, and tells with each how many are left', () => {
    const policy = 'RateLimit-Policy: "auth";q=3;w=60';
    expect([ask(ofKey), ask(ofKey)]).to.deep.equal([
      ['next', policy, 'RateLimit: "auth";r=2;t=60'],
      ['next', policy, 'RateLimit: "auth";r=1;t=60'],
    ]);
    clock.advance(20);
    expect([ask(ofKey), ask(ofKey)]).to.deep.equal([
      ['next', policy, 'RateLimit: "auth";r=0;t=40'],
      ['svc_api_rate_limited', policy, 'RateLimit: "auth";r=0;t=40'],
    ]);
    clock.advance(40);
    expect(ask(ofKey)[0]).to.equal('next');
  });

  it('says to whoever is refused how long the window is', () => {
    ask({ kind: 'anonymous' });
    const refuse = () =>
      limit.middleware({ state: { identity: { kind: 'anonymous' }, settings }, res: { setHeader() {} } } as never, (() => 0) as never);
    expect(refuse)
      .to.throw(ApiError)
      .with.deep.property('details', { data: { retry_after: 60 } });
  });

  it('counts a key, a user and everybody without a name apart, and asks the site about each', () => {
    expect([ask({ kind: 'anonymous' })[0], ask({ kind: 'anonymous' })[0]]).to.deep.equal(['next', 'svc_api_rate_limited']);
    expect(ask({ kind: 'anonymous' }).slice(1)).to.deep.equal([
      'RateLimit-Policy: "anonymous";q=1;w=60',
      'RateLimit: "anonymous";r=0;t=60',
    ]);
    expect([ask(ofKey)[2], ask(ofUser)[2]]).to.deep.equal(['RateLimit: "auth";r=2;t=60', 'RateLimit: "auth";r=2;t=60']);
    expect(asked.slice(3)).to.deep.equal([
      { kind: 'key', keyId: 3, userId: 7 },
      { kind: 'user', userId: 7 },
    ]);
    expect(asked[0]).to.deep.equal({ kind: 'anonymous' });
  });

  it('does not count failed credentials, and lets them through to be told; who is locked out is told here', () => {
    const refused: Identity = { kind: 'refused', error: new ApiError('svc_api_invalid_key') };
    const locked: Identity = { kind: 'locked_out', error: new ApiError('svc_api_too_many_auth_failures') };
    for (let at = 0; at < 3; at += 1) {
      expect(ask(refused)[0]).to.equal('next');
      expect(ask(locked)[0]).to.equal('svc_api_too_many_auth_failures');
    }
    expect(ask({ kind: 'anonymous' })[0]).to.equal('next');
    expect([ask(refused)[0], ask({ kind: 'anonymous' })[0]]).to.deep.equal(['next', 'svc_api_rate_limited']);
    expect(ask(refused)[0]).to.equal('next');
  });

  it('counts what is answered from memory as well, and never beyond the ceiling', () => {
    const headers = [2, 1, 0].map((left) => ['RateLimit-Policy', '"auth";q=3;w=60', 'RateLimit', `"auth";r=${left};t=60`]);
    expect([1, 2, 3].map(() => limit.hitUnlessReached(ofKey, settings))).to.deep.equal(headers);
    expect(limit.hitUnlessReached(ofKey, settings)).to.equal(undefined);
    expect(ask(ofKey)[0]).to.equal('svc_api_rate_limited');
  });

  it('leaves to the slow way what has to be waited for', () => {
    const count = { count: 0, secondsLeft: 60 };
    const counters = (peek: unknown, hit: unknown) => ({ peek: () => peek, hit: () => hit, takeBack: async () => {} }) as never;
    const fast = (peek: unknown, hit: unknown) =>
      new RateLimit(counters(peek, hit), (_, byDefault) => byDefault).hitUnlessReached(ofKey, settings);
    expect(fast(Promise.resolve(count), count)).to.equal(undefined);
    expect(fast(count, Promise.resolve(count))).to.equal(undefined);
    expect(fast(count, count)).to.have.length(4);
  });
});
