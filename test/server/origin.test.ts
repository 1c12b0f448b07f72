import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { addressGroup, originOf, parseProxies } from '../../server/origin.ts';

const request = (peer: string, headers: Record<string, string> = {}, encrypted = false): IncomingMessage =>
  ({ socket: { remoteAddress: peer, encrypted }, headers: { host: 'shop.example', ...headers } }) as unknown as IncomingMessage;
const trusting = parseProxies('10.0.0.0/8, 2001:db8::1');

describe('where a request comes from', () => {
  it('is the peer, whatever the peer says, unless it is a trusted proxy', () => {
    const forged = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' };
    expect(originOf(request('192.0.2.7', forged), trusting)).to.deep.equal({
      address: '192.0.2.7',
      isSecure: false,
      url: 'http://shop.example',
    });
  });

  it('is what the trusted proxy saw: the right-most address that is not a proxy itself', () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.1.1.1', 'x-forwarded-proto': 'http, https' };
    expect(originOf(request('10.0.0.1', headers), trusting)).to.include({ address: '203.0.113.9', isSecure: true });
  });

  it('believes only the right-most X-Forwarded-Proto', () => {
    expect(originOf(request('10.0.0.1', { 'x-forwarded-proto': 'https, http' }), trusting).isSecure).to.equal(false);
  });

  it('sees an IPv4 peer on an IPv6 socket as what it is', () => {
    expect(originOf(request('::ffff:10.0.0.1', { 'x-forwarded-for': '203.0.113.9' }), trusting).address).to.equal('203.0.113.9');
  });

  it('is secure on a TLS socket without any header', () => {
    expect(originOf(request('192.0.2.7', {}, true), trusting)).to.include({ isSecure: true, url: 'https://shop.example' });
  });

  it('puts no strange host into an address', () => {
    expect(originOf(request('192.0.2.7', { host: 'a"><script>' }), trusting).url).to.equal('http://localhost');
  });

  it('counts an IPv6 network of one customer as one caller', () => {
    expect(addressGroup('2001:db8:1:2:3:4:5:6')).to.equal('2001:db8:1:2::/64');
    expect(addressGroup('2001:db8:1:2::1')).to.equal(addressGroup('2001:0db8:0001:0002:ffff::9'));
    expect(addressGroup('::1')).to.equal('0:0:0:0::/64');
    expect(addressGroup('203.0.113.9')).to.equal('203.0.113.9');
  });

  it('refuses a proxy that is neither address nor range, naming it', () => {
    for (const bad of ['proxy.local', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/9', '300.1.1.1'])
      expect(() => parseProxies(bad)).to.throw(bad);
  });
});
