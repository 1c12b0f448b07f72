import { expect } from 'chai';
import { findAddressProblem, findUrlProblem, hostOf, isAddressAllowed, normalizeUrl, portOf } from '../../domain/webhooks/url-rules.ts';

const strict = { allowPlainHttpAndLoopback: false, ports: [443, 8443] };
const local = { allowPlainHttpAndLoopback: true, ports: [443] };

const notPublic = 'The URL must lead to a public address.';
const withPassword = 'The URL must not carry a user name or password.';

describe('the URL of a webhook', () => {
  it('is accepted where it is https, to a name or a public address, on a port that the store allows', () => {
    const taken = [
      'https://shop.example/hook',
      'https://shop.example:8443/',
      'https://93.184.215.14/',
      'https://[2606:4700::1111]:443/#part',
    ];
    for (const url of taken) expect(findUrlProblem(url, strict), url).to.equal(null);
  });

  it('is refused without encryption, except on the machine of a developer', () => {
    expect(findUrlProblem('http://shop.example/', strict)).to.equal('The URL must be https.');
    expect(findUrlProblem('http://shop.example/', local)).to.equal(null);
    expect(findUrlProblem('ftp://shop.example/', local)).to.equal('The URL must be http or https.');
    expect(findUrlProblem('ftp://shop.example/', strict)).to.equal('The URL must be https.');
  });

  it('is refused where it is not a URL, has control characters, or is too long after normalisation', () => {
    expect(findUrlProblem('shop.example', strict)).to.equal('The URL is not valid.');
    for (const url of ['https://shop.exa\tmple/', 'https://shop.example/a\nb', '\thttps://shop.example/', 'https://shop.example/\u{7f}'])
      expect(findUrlProblem(url, strict), url).to.equal('The URL must not have control characters in it.');
    const of = (length: number): string => 'https://shop.example/'.padEnd(length, 'x');
    expect(findUrlProblem(of(2000), strict)).to.equal(null);
    expect(findUrlProblem(of(2001), strict)).to.equal('The URL is longer than 2000 characters once it is written out.');
    expect(findUrlProblem(`https://shop.example/${'é'.repeat(400)}`, strict)).to.match(/^The URL is longer/);
    expect(findUrlProblem(`${of(100)}#${'x'.repeat(2000)}`, strict)).to.equal(null);
  });

  it('is refused with a user name or password, also an empty one, behind any slashes', () => {
    const urls = [
      'https://mia:secret@shop.example/',
      'https://mia@shop.example',
      'https://@shop.example/',
      'https://:@shop.example/',
      'https:\\\\mia@shop.example/',
      'https:\\\\@shop.example',
      'https:mia@shop.example',
      ' https:@shop.example/',
    ];
    for (const url of urls) expect(findUrlProblem(url, strict), url).to.equal(withPassword);
    for (const url of [
      'https://shop.example/@mia',
      'https://shop.example/?a=b@c',
      'https://shop.example#@',
      'https://shop.example/a://b@c',
    ])
      expect(findUrlProblem(url, strict), url).to.equal(null);
  });

  it('is refused to an address that is not public, in any notation', () => {
    const urls = [
      'https://127.0.0.1/',
      'https://0x7f.1/',
      'https://2130706433/',
      'https://[::1]/',
      'https://10.0.0.1:8443/',
      'https://[::ffff:8.8.8.8]/',
    ];
    for (const url of urls) expect(findUrlProblem(url, strict), url).to.equal(notPublic);
    expect(findUrlProblem('https://10.0.0.1/', local)).to.equal(notPublic);
    expect(findUrlProblem('http://127.0.0.1:3000/', local)).to.equal(null);
  });

  it('is refused to the names of this machine, and not to names that are only similar', () => {
    const names = ['localhost', 'localhost.', 'api.localhost', 'LOCALHOST'];
    for (const name of names) {
      expect(findUrlProblem(`https://${name}/`, strict), name).to.equal(notPublic);
      expect(findUrlProblem(`https://${name}:8080/`, local), name).to.equal(null);
    }
    for (const name of ['mylocalhost', 'localhost.example', 'local.host'])
      expect(findUrlProblem(`https://${name}/`, strict), name).to.equal(null);
  });

  it('is refused on every other port, for an address as for a name', () => {
    for (const host of ['shop.example', '93.184.215.14'])
      expect(findUrlProblem(`https://${host}:444/`, strict)).to.equal("The URL's port must be 443 or 8443.");
    expect(findUrlProblem('https://shop.example/', { ...strict, ports: [8443] })).to.equal("The URL's port must be 8443.");
    expect(findUrlProblem('https://shop.example:444/', local)).to.equal(null);
  });

  it('is normalised, without the fragment', () => {
    expect(normalizeUrl('HTTPS://Shop.Example:443/a/../b?c#d')).to.equal('https://shop.example/b?c');
  });

  it('has the host and the port of the connection', () => {
    const urls = ['https://shop.example/', 'http://shop.example/', 'https://[2606:4700::1]:8443/'].map((text) => new URL(text));
    expect(urls.map(hostOf)).to.deep.equal(['shop.example', 'shop.example', '2606:4700::1']);
    expect(urls.map(portOf)).to.deep.equal([443, 80, 8443]);
  });
});

describe('the addresses of a name', () => {
  it('are all refused for one that is not public', () => {
    expect(findAddressProblem(['93.184.215.14', '2606:4700::1'], strict)).to.equal(null);
    expect(findAddressProblem(['93.184.215.14', '10.0.0.1'], strict)).to.equal(notPublic);
    expect(findAddressProblem(['127.0.0.1'], strict)).to.equal(notPublic);
    expect(findAddressProblem(['127.0.0.1'], local)).to.equal(null);
    expect([isAddressAllowed('10.0.0.1', local), isAddressAllowed('', local), isAddressAllowed('8.8.8.8', local)]).to.deep.equal([
      false,
      false,
      true,
    ]);
  });
});
