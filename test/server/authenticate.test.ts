import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { MemoryWindowCounters } from '../../db/engine/sqlite/memory-counters.ts';
import { ApiError } from '../../domain/errors.ts';
import { authenticate } from '../../server/auth/authenticate.ts';
import type { Identification } from '../../server/auth/authenticator.ts';
import type { Identity } from '../../server/auth/identity.ts';
import { Lockout } from '../../server/auth/lockout.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { koaContext } from '../support/koa-context.ts';
import { TestClock } from '../support/service.ts';

const { settings } = buildSettings({ 'lockout.max_failures': 2 });
const wrong: Identity = { kind: 'refused', error: new ApiError('svc_api_invalid_key') };
const key = { authorization: 'Bearer svc_1' };
const basic = { authorization: 'Basic bWlhOmE=' };
const session = { cookie: 'svc_session=abc' };

describe('what becomes of the credentials of a request', () => {
  let lookedAt: string[];
  let lockout: Lockout;
  beforeEach(() => {
    lookedAt = [];
    lockout = new Lockout(new MemoryWindowCounters(new TestClock()));
  });
  /** The identity that the next step finds, where these credentials would be judged so. */
  const identified = async (
    headers: IncomingHttpHeaders,
    { isSecure = true, allowPlainHttp = false, judged = wrong as Identity } = {},
  ): Promise<string> => {
    const identify = async ({ kind }: { kind: string }): Promise<Identity> => {
      lookedAt.push(kind);
      return judged;
    };
    const ctx = koaContext(headers, { isSecure, settings, address: '192.0.2.7' });
    const middleware = authenticate({ identify } as unknown as Identification, lockout, allowPlainHttp);
    const next = async () => expect(ctx.state.identity).not.to.equal(undefined);
    await middleware(ctx as never, next);
    const { identity } = ctx.state;
    return identity && 'error' in identity ? `${identity.kind}: ${identity.error.code}` : (identity?.kind ?? 'nothing');
  };

  it('is nothing over plain HTTP: a key or a password is refused unseen, a session is not known', async () => {
    expect(await identified(key, { isSecure: false })).to.equal('refused: svc_api_https_required');
    expect(await identified(basic, { isSecure: false })).to.equal('refused: svc_api_https_required');
    expect(await identified(session, { isSecure: false })).to.equal('anonymous');
    expect(lookedAt).to.deep.equal([]);
  });

  it('does not concern who sends none, over plain HTTP too', async () => {
    expect(await identified({}, { isSecure: false, judged: { kind: 'anonymous' } })).to.equal('anonymous');
    expect(lookedAt).to.deep.equal(['none']);
  });

  it('is judged over TLS, and where the operator allows plain HTTP', async () => {
    const judged: Identity = { kind: 'caller', caller: {} as never };
    for (const way of [{ isSecure: true }, { isSecure: false, allowPlainHttp: true }])
      for (const headers of [key, basic, session]) expect(await identified(headers, { ...way, judged })).to.equal('caller');
    expect(lookedAt).to.deep.equal(['key', 'basic', 'session', 'key', 'basic', 'session']);
  });

  it('counts against the address when it was wrong, and is not looked at once that is locked out', async () => {
    const answers = [await identified(key), await identified(basic), await identified(key)];
    expect(answers).to.deep.equal([
      'refused: svc_api_invalid_key',
      'refused: svc_api_invalid_key',
      'locked_out: svc_api_too_many_auth_failures',
    ]);
    expect(lookedAt).to.deep.equal(['key', 'basic']);
    // A cookie is no guess: whoever is signed in behind the same address stays so.
    expect(await identified(session, { judged: { kind: 'caller', caller: {} as never } })).to.equal('caller');
  });

  it('of many at once learns no more often that it was wrong than the limit allows', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => identified(key)));
    expect(lookedAt).to.have.length(4);
    const [told, lockedOut] = ['refused: svc_api_invalid_key', 'locked_out: svc_api_too_many_auth_failures'];
    expect(answers).to.have.members([told, told, lockedOut, lockedOut]);
  });

  it('costs nothing when it was right, however often, nor when a session is over', async () => {
    for (let at = 0; at < 3; at += 1) {
      expect(await identified(key, { judged: { kind: 'caller', caller: {} as never } })).to.equal('caller');
      expect(await identified(session, { judged: { kind: 'anonymous' } })).to.equal('anonymous');
    }
    expect(await identified(key)).to.equal('refused: svc_api_invalid_key');
  });
});
