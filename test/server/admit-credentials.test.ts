import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { MemoryWindowCounters } from '../../db/engine/sqlite/memory-counters.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Identity } from '../../server/auth/identity.ts';
import { Lockout } from '../../server/auth/lockout.ts';
import { admit } from '../../server/limits/admit.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { koaContext } from '../support/koa-context.ts';
import { TestClock } from '../support/service.ts';

const { settings } = buildSettings({ 'lockout.max_failures': 2 });
const wrong: Identity = { kind: 'rejected', error: new ApiError('svc_api_invalid_key') };
const key = { authorization: 'Bearer svc_1' };
const basic = { authorization: 'Basic bWlhOmE=' };
const session = { cookie: 'svc_session=abc; __Host-svc_session=abc' };

describe('admit, of credentials,', () => {
  let lookups: string[];
  let counters: MemoryWindowCounters;
  beforeEach(() => {
    lookups = [];
    counters = new MemoryWindowCounters(new TestClock());
  });
  /** The identity that the next middleware sees, or the code of the error, where the authenticator returns `judged`. */
  const identified = async (
    headers: IncomingHttpHeaders,
    { isSecure = true, allowPlainHttp = false, judged = wrong as Identity } = {},
  ): Promise<string> => {
    const identify = async ({ kind }: { kind: string }): Promise<Identity> => {
      lookups.push(kind);
      return judged;
    };
    const ctx = koaContext(headers, { isSecure, settings, address: '192.0.2.7' });
    const lockout = new Lockout(counters);
    const rateCeiling = () => Infinity;
    const middleware = admit({ authenticator: { identify, identifyCached: () => null }, lockout, counters, rateCeiling, allowPlainHttp });
    const next = async () => expect(ctx.state.identity).not.to.equal(undefined);
    const error = await middleware(ctx as never, next).then(
      () => null,
      (thrown: ApiError) => thrown,
    );
    if (error) return error.code;
    const { identity } = ctx.state;
    return identity && 'error' in identity ? `${identity.kind}: ${identity.error.code}` : (identity?.kind ?? 'nothing');
  };

  it('rejects keys and passwords over plain HTTP without a lookup, and ignores sessions', async () => {
    expect(await identified(key, { isSecure: false })).to.equal('rejected: svc_api_https_required');
    expect(await identified(basic, { isSecure: false })).to.equal('rejected: svc_api_https_required');
    expect(await identified(session, { isSecure: false })).to.equal('anonymous');
    expect(lookups).to.deep.equal([]);
  });

  it('accepts requests without credentials, over plain HTTP too', async () => {
    expect(await identified({}, { isSecure: false, judged: { kind: 'anonymous' } })).to.equal('anonymous');
    expect(lookups).to.deep.equal(['none']);
  });

  it('looks credentials up over TLS, and where the operator allows plain HTTP', async () => {
    const judged: Identity = { kind: 'caller', caller: { user: { id: 7 }, keyId: 3 } as never };
    for (const way of [{ isSecure: true }, { isSecure: false, allowPlainHttp: true }])
      for (const headers of [key, basic, session]) expect(await identified(headers, { ...way, judged })).to.equal('caller');
    expect(lookups).to.deep.equal(['key', 'basic', 'session', 'key', 'basic', 'session']);
  });

  it('counts wrong credentials against the address, and looks none up once it is locked out', async () => {
    const answers = [await identified(key), await identified(basic), await identified(key)];
    expect(answers).to.deep.equal(['rejected: svc_api_invalid_key', 'rejected: svc_api_invalid_key', 'svc_api_too_many_auth_failures']);
    expect(lookups).to.deep.equal(['key', 'basic']);
    // A cookie is no guess, so a session behind the same address stays signed in.
    expect(await identified(session, { judged: { kind: 'caller', caller: { user: { id: 7 }, keyId: 3 } as never } })).to.equal('caller');
  });

  it('answers no more of many concurrent wrong guesses as wrong than the limit allows', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => identified(key)));
    expect(lookups).to.have.length(4);
    const [wrongKey, lockedOut] = ['rejected: svc_api_invalid_key', 'svc_api_too_many_auth_failures'];
    expect(answers).to.have.members([wrongKey, wrongKey, lockedOut, lockedOut]);
  });

  it('counts neither right credentials nor an expired session against the address', async () => {
    for (let at = 0; at < 3; at += 1) {
      expect(await identified(key, { judged: { kind: 'caller', caller: { user: { id: 7 }, keyId: 3 } as never } })).to.equal('caller');
      expect(await identified(session, { judged: { kind: 'anonymous' } })).to.equal('anonymous');
    }
    expect(await identified(key)).to.equal('rejected: svc_api_invalid_key');
  });
});
