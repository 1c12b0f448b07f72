import { expect } from 'chai';
import { MemoryWindowCounters } from '../../db/engine/sqlite/memory-counters.ts';
import { ApiError } from '../../domain/errors.ts';
import { Lockout } from '../../server/auth/lockout.ts';
import { failuresOf, SignInAttempts } from '../../server/auth/sign-in-attempts.ts';
import type { RequestContext } from '../../server/http/request-context.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { TestClock } from '../support/service.ts';

describe('SignInAttempts', () => {
  const counters = new MemoryWindowCounters(new TestClock());
  const attempts = new SignInAttempts({ storage: undefined as never, counters, lockout: new Lockout(counters) });
  const ctx = {
    state: { address: '192.0.2.1', settings: buildSettings({}).settings, isSecure: true },
    get: () => '',
    headers: {},
    req: { headers: {} },
    cookies: { get: () => undefined },
  } as unknown as RequestContext;
  const count = () => [counters.peek(failuresOf('ada'), 900).count, counters.peek('auth-failures:192.0.2.1', 900).count];
  const failWith = async (error: Error): Promise<void> => {
    const verify = async (): Promise<void> => {
      throw error;
    };
    try {
      await attempts.run(ctx, { userId: 1, names: ['ada'] }, verify);
      expect.fail('It must fail.');
    } catch (thrown) {
      expect(thrown).to.equal(error);
    }
  };

  it('counts an attempt that is refused, and none that succeeds or that the service cannot complete', async () => {
    await attempts.run(ctx, { userId: 1, names: ['ada'] }, (succeed) => succeed());
    await failWith(new ApiError('svc_api_overloaded'));
    await failWith(new Error('The database is busy.'));
    expect(count()).to.deep.equal([0, 0]);
    await failWith(new ApiError('svc_api_confirm_password'));
    await attempts.run(ctx, { userId: 1, names: ['ada'] }, async () => {});
    expect(count()).to.deep.equal([2, 2]);
  });
});
