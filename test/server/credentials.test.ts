import { expect } from 'chai';
import { csrfCookie, csrfHeader, isSameSecret, readCredentials, sessionCookie } from '../../server/auth/credentials.ts';
import { koaContext } from '../support/koa-context.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('readCredentials', () => {
  it('reads a key from Authorization, whatever the case of the scheme and the space around it', () => {
    const key = { kind: 'key', token: 'svc_1' };
    for (const authorization of ['Bearer svc_1', 'bearer svc_1', 'BEARER\tsvc_1', '  Bearer   svc_1  '])
      expect(readCredentials(koaContext({ authorization })), authorization).to.deep.equal(key);
  });

  it('reads a key from X-Svc-API-Key, and several such headers as one invalid key', () => {
    expect(readCredentials(koaContext({ 'x-svc-api-key': ' svc_1 ' }))).to.deep.equal({ kind: 'key', token: 'svc_1' });
    expect(readCredentials(koaContext({ 'x-svc-api-key': '' }))).to.deep.equal({ kind: 'key', token: '' });
    expect(readCredentials(koaContext({ 'x-svc-api-key': ['svc_1', 'svc_2'] }))).to.deep.equal({ kind: 'key', token: 'svc_1,svc_2' });
  });

  it('reads a user name and a password, which may contain colons', () => {
    expect(readCredentials(koaContext({ authorization: basic('mia:a:b') }))).to.deep.equal({ kind: 'basic', name: 'mia', password: 'a:b' });
    expect(readCredentials(koaContext({ authorization: basic(':b').replace('Basic', 'BASIC') }))).to.deep.equal({
      kind: 'basic',
      name: '',
      password: 'b',
    });
    expect(readCredentials(koaContext({ authorization: basic('mia') }))).to.deep.equal({ kind: 'basic', name: 'mia', password: '' });
    expect(readCredentials(koaContext({ authorization: basic('mía:é') }))).to.deep.equal({ kind: 'basic', name: 'mía', password: 'é' });
  });

  it('reads a session cookie, unless a header is sent', () => {
    const cookie = 'svc_session=abc';
    expect(readCredentials(koaContext({ cookie }))).to.deep.equal({ kind: 'session', cookie: 'abc' });
    expect(readCredentials(koaContext({ cookie, authorization: 'Bearer svc_1' })).kind).to.equal('key');
    expect(readCredentials(koaContext({ cookie, authorization: basic('mia:a') })).kind).to.equal('basic');
    expect(readCredentials(koaContext({ cookie, 'x-svc-api-key': 'svc_1' })).kind).to.equal('key');
  });

  it('returns none without any of them, and for an unknown scheme', () => {
    expect(readCredentials(koaContext({}))).to.deep.equal({ kind: 'none' });
    expect(readCredentials(koaContext({ authorization: 'Digest svc_1' }))).to.deep.equal({ kind: 'none' });
    expect(readCredentials(koaContext({ cookie: 'svc_sessions=abc; other=svc_session' }))).to.deep.equal({ kind: 'none' });
  });

  it('uses the cookie and header names of the contract', () => {
    expect([sessionCookie, csrfCookie, csrfHeader]).to.deep.equal(['svc_session', 'svc_csrf', 'x-svc-csrf']);
  });

  it('finds the session among other cookies, with the equals signs in its value', () => {
    const session = { kind: 'session', cookie: 'b=c==' };
    expect(readCredentials(koaContext({ cookie: 'a=1; svc_session=b=c==; d=2' }))).to.deep.equal(session);
    expect(readCredentials(koaContext({ cookie: 'svc_session' }))).to.deep.equal({ kind: 'none' });
  });
});

describe('isSameSecret', () => {
  it('is true only for equal secrets', () => {
    expect(isSameSecret('abc', 'abc')).to.equal(true);
    for (const other of ['abd', 'bbc', 'ab', 'abcd', '', 'ABC']) expect(isSameSecret('abc', other), other).to.equal(false);
  });
});
