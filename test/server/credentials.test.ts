import { expect } from 'chai';
import type { Caller } from '../../domain/users/caller.ts';
import { bucketOf } from '../../server/auth/authenticate.ts';
import { cookieIn, credentialsIn, csrfCookie, csrfHeader, sessionCookie } from '../../server/auth/credentials.ts';
import { isSameSecret } from '../../server/auth/timing-safe-equal.ts';
import { koaContext } from '../support/koa-context.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('what a caller sends to be known by', () => {
  it('is a key in Authorization, whatever the case of the scheme and the space around it', () => {
    const key = { kind: 'key', token: 'svc_1' };
    for (const authorization of ['Bearer svc_1', 'bearer svc_1', 'BEARER\tsvc_1', '  Bearer   svc_1  '])
      expect(credentialsIn(koaContext({ authorization })), authorization).to.deep.equal(key);
  });

  it('is a key in a header of its own, and several of them are one that nobody has', () => {
    expect(credentialsIn(koaContext({ 'x-svc-api-key': ' svc_1 ' }))).to.deep.equal({ kind: 'key', token: 'svc_1' });
    expect(credentialsIn(koaContext({ 'x-svc-api-key': '' }))).to.deep.equal({ kind: 'key', token: '' });
    expect(credentialsIn(koaContext({ 'x-svc-api-key': ['svc_1', 'svc_2'] }))).to.deep.equal({ kind: 'key', token: 'svc_1,svc_2' });
  });

  it('is a name and a password, which may have colons in it', () => {
    expect(credentialsIn(koaContext({ authorization: basic('mia:a:b') }))).to.deep.equal({ kind: 'basic', name: 'mia', password: 'a:b' });
    expect(credentialsIn(koaContext({ authorization: basic(':b').replace('Basic', 'BASIC') }))).to.deep.equal({
      kind: 'basic',
      name: '',
      password: 'b',
    });
    expect(credentialsIn(koaContext({ authorization: basic('mia') }))).to.deep.equal({ kind: 'basic', name: 'mia', password: '' });
    expect(credentialsIn(koaContext({ authorization: basic('mía:é') }))).to.deep.equal({ kind: 'basic', name: 'mía', password: 'é' });
  });

  it('is a session, unless a header was sent on purpose', () => {
    const cookie = 'svc_session=abc';
    expect(credentialsIn(koaContext({ cookie }))).to.deep.equal({ kind: 'session', cookie: 'abc' });
    expect(credentialsIn(koaContext({ cookie, authorization: 'Bearer svc_1' })).kind).to.equal('key');
    expect(credentialsIn(koaContext({ cookie, authorization: basic('mia:a') })).kind).to.equal('basic');
    expect(credentialsIn(koaContext({ cookie, 'x-svc-api-key': 'svc_1' })).kind).to.equal('key');
  });

  it('is nothing without any of them, and a scheme that is not known is nothing', () => {
    expect(credentialsIn(koaContext({}))).to.deep.equal({ kind: 'none' });
    expect(credentialsIn(koaContext({ authorization: 'Digest svc_1' }))).to.deep.equal({ kind: 'none' });
    expect(credentialsIn(koaContext({ cookie: 'svc_sessions=abc; other=svc_session' }))).to.deep.equal({ kind: 'none' });
  });

  it('has the names that the contract has given out', () => {
    expect([sessionCookie, csrfCookie, csrfHeader]).to.deep.equal(['svc_session', 'svc_csrf', 'x-svc-csrf']);
  });

  it('is found among other cookies, with the signs of equality that it has', () => {
    expect(cookieIn('a=1; svc_session = b=c== ; d=2', 'svc_session')).to.equal('b=c==');
    expect(cookieIn(undefined, 'svc_session')).to.equal(undefined);
    expect(cookieIn('svc_session', 'svc_session')).to.equal('');
  });
});

describe('two secrets', () => {
  it('are the same only if all of them is', () => {
    expect(isSameSecret('abc', 'abc')).to.equal(true);
    for (const other of ['abd', 'bbc', 'ab', 'abcd', '', 'ABC']) expect(isSameSecret('abc', other), other).to.equal(false);
  });
});

describe('who pays for a request', () => {
  const caller: Caller = { user: { id: 7 } as Caller['user'], method: 'api_key', keyId: 3, scopes: ['read'] };

  it('is the key, else the user, else everybody without a name together', () => {
    expect(bucketOf({ kind: 'caller', caller })).to.equal('key:3');
    expect(bucketOf({ kind: 'caller', caller: { ...caller, keyId: null } })).to.equal('user:7');
    expect(bucketOf({ kind: 'anonymous' })).to.equal('anonymous');
  });
});
