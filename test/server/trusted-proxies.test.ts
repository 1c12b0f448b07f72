import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { addressGroup, originOf, TrustedProxies } from '../../server/http/trusted-proxies.ts';

const request = (peer: string, headers: Record<string, string> = {}, encrypted = false): IncomingMessage =>
  ({ socket: { remoteAddress: peer, encrypted }, headers: { host: 'shop.example', ...headers } }) as unknown as IncomingMessage;
const trusting = new TrustedProxies('10.0.0.0/8, 2001:db8::1');

describe('the origin of a request', () => {
  it('is the peer, whatever headers it sends, unless it is a trusted proxy', () => {
    const forged = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' };
    expect(originOf(request('192.0.2.7', forged), trusting)).to.deep.equal({
      address: '192.0.2.7',
      isSecure: false,
      url: 'http://shop.example',
    });
  });

  it('is the right-most address of X-Forwarded-For that is not a trusted proxy', () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.1.1.1', 'x-forwarded-proto': 'http, https' };
    expect(originOf(request('10.0.0.1', headers), trusting)).to.include({ address: '203.0.113.9', isSecure: true });
  });

  it('is the address of X-Forwarded-For without its port', () => {
    const entries = { '203.0.113.9:51234': '203.0.113.9', '[2001:db8::9]:443': '2001:db8::9', '[2001:db8::9]': '2001:db8::9' };
    for (const [entry, address] of Object.entries(entries))
      expect(originOf(request('10.0.0.1', { 'x-forwarded-for': `6.6.6.6, ${entry}, 10.1.1.1:80` }), trusting).address).to.equal(address);
    for (const entry of ['203.0.113.9:x', '[203.0.113.9', '203.0.113.9:1:2'])
      expect(originOf(request('10.0.0.1', { 'x-forwarded-for': entry }), trusting).address, entry).to.equal('10.0.0.1');
  });

  it('uses only the right-most X-Forwarded-Proto', () => {
    expect(originOf(request('10.0.0.1', { 'x-forwarded-proto': 'https, http' }), trusting).isSecure).to.equal(false);
  });

  it('is the IPv4 address of an IPv4 peer on an IPv6 socket, and empty for a closed socket', () => {
    expect(originOf(request('::ffff:192.0.2.7'), trusting).address).to.equal('192.0.2.7');
    expect(originOf(request(undefined as unknown as string), trusting).address).to.equal('');
  });

  it('is read from one header or from several of the same name', () => {
    const only = new TrustedProxies('10.0.0.1');
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'HTTPS',
      'x-forwarded-host': 'a.example, b.example, c.example',
    };
    expect(originOf(request('10.0.0.1', headers), only)).to.deep.equal({
      address: '203.0.113.9',
      isSecure: true,
      url: 'https://c.example',
    });
    const several = { 'x-forwarded-for': ['6.6.6.6', '203.0.113.9'], 'x-forwarded-host': ['a.example', 'b.example'] };
    const received = request('10.0.0.1', several as unknown as Record<string, string>);
    expect(originOf(received, only)).to.include({ address: '203.0.113.9', url: 'http://b.example' });
  });

  it('is secure on a TLS socket without any header', () => {
    expect(originOf(request('192.0.2.7', {}, true), trusting)).to.include({ isSecure: true, url: 'https://shop.example' });
  });

  it('rejects a trusted proxy that is neither an address nor a range, and names it', () => {
    const bits = ['10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/', '10.0.0.0/0x8', '10.0.0.0/8e0', '10.0.0.0/-1', '2001:db8::/129'];
    for (const bad of ['proxy.local', '10.0.0.0/8/9', '300.1.1.1', ...bits]) expect(() => new TrustedProxies(bad), bad).to.throw(bad);
  });

  it('trusts exactly the listed addresses and ranges, however they are separated', () => {
    const list = new TrustedProxies(' 192.0.2.1,\n10.0.0.0/8\t2001:db8::/33 2001:db9::1/128 192.0.2.9/32 ');
    const isTrusted = (peer: string) => originOf(request(peer, { 'x-forwarded-for': '203.0.113.9' }), list).address === '203.0.113.9';
    for (const peer of ['192.0.2.1', '192.0.2.9', '10.255.0.1', '::ffff:10.0.0.1', '2001:db8:7fff::1', '2001:db9::1'])
      expect(isTrusted(peer), peer).to.equal(true);
    for (const peer of ['192.0.2.2', '192.0.2.8', '11.0.0.1', '2001:db8:8000::1', '2001:db9::2', '', 'no-address'])
      expect(isTrusted(peer), peer).to.equal(false);
    expect(originOf(request('192.0.2.1', { 'x-forwarded-for': '203.0.113.9' }), new TrustedProxies('')).address).to.equal('192.0.2.1');
  });

  it('follows X-Forwarded-For from proxy to proxy, and stops at text that is no address', () => {
    const from = (hops: string) => originOf(request('10.0.0.1', { 'x-forwarded-for': hops }), trusting).address;
    expect(from('10.2.2.2, 10.1.1.1')).to.equal('10.2.2.2');
    expect(from('203.0.113.9, no-address, 10.1.1.1')).to.equal('10.1.1.1');
    expect(from('203.0.113.9, ::ffff:203.0.113.8x')).to.equal('10.0.0.1');
    expect(from('203.0.113.9,::FFFF:10.1.1.1')).to.equal('203.0.113.9');
    expect(from('203.0.113.9, 2001:db8::1')).to.equal('203.0.113.9');
    expect(from('203.0.113.9, 1::ffff:10.1.1.1')).to.equal('1::ffff:10.1.1.1');
    expect(originOf(request('10.0.0.1'), trusting).address).to.equal('10.0.0.1');
  });

  it('has the host that a trusted proxy forwards, the right-most of several', () => {
    const urlOf = (peer: string, host: string) => originOf(request(peer, { 'x-forwarded-host': host }), trusting).url;
    expect(urlOf('10.0.0.1', 'evil.example, API.shop.example:8443 ')).to.equal('http://api.shop.example:8443');
    expect(urlOf('10.0.0.1', '')).to.equal('http://shop.example');
    expect(urlOf('192.0.2.7', 'evil.example')).to.equal('http://shop.example');
  });

  it('has a host of letters, digits and a port, else localhost', () => {
    const urlOf = (host: string | undefined) => originOf(request('192.0.2.7', { host } as Record<string, string>), trusting).url;
    for (const host of ['shop.example:65535', '[::1]:8080', '[::ffff:192.0.2.7]']) expect(urlOf(host)).to.equal(`http://${host}`);
    const strange = ['shop.example:123456', '[::1', 'x@shop.example', 'shop.example/x', 'shop.example:', '', 'a"><script>', undefined];
    for (const host of strange) expect(urlOf(host), host).to.equal('http://localhost');
  });

  it('groups IPv6 addresses by their /64 network, in any notation', () => {
    expect(addressGroup('2001:db8:1:2:3:4:5:6')).to.equal('2001:db8:1:2::/64');
    expect(addressGroup('2001:db8:1:2::1')).to.equal(addressGroup('2001:0db8:0001:0002:ffff::9'));
    expect(addressGroup('::1')).to.equal('0:0:0:0::/64');
    expect(addressGroup('203.0.113.9')).to.equal('203.0.113.9');
    expect(addressGroup('1:2:3:4:5:6:7::')).to.equal('1:2:3:4::/64');
    expect(addressGroup('1::4:5:6:7:8')).to.equal('1:0:0:4::/64');
    expect(addressGroup('1:2::')).to.equal('1:2:0:0::/64');
    expect(addressGroup('FE80::1%eth0')).to.equal('fe80:0:0:0::/64');
    expect(addressGroup('no:address')).to.equal('no:address');
  });
});
