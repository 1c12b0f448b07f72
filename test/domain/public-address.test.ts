import { expect } from 'chai';
import { isLoopbackAddress, isPublicAddress } from '../../domain/webhooks/url-rules.ts';

const open = [
  // IPv4, and the neighbours of everything that is closed
  '1.0.0.0',
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  // IPv6
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff::1',
  '2001:db9::1',
  '2003::1',
  '2400:cb00:2048:1::6814:55',
  '2606:4700:4700::1111',
  '2606:4700:4700:0:0:0:0:1111',
  '2A00:1450:4001:81B::200E',
  '2600::',
  '3fff:1000::1',
  '3ffd::1',
];

const closed = [
  // this network, loopback, private, link-local
  '0.0.0.0',
  '0.0.0.1',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '127.0.0.1',
  '127.1.2.3',
  '127.255.255.255',
  '172.16.0.0',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '169.254.0.0',
  '169.254.255.255',
  // what clouds answer their machines on
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
  // shared, protocol assignments, documentation, benchmarking, relays, multicast, reserved, broadcast
  '100.64.0.0',
  '100.127.255.255',
  '192.0.0.0',
  '192.0.0.170',
  '192.0.2.1',
  '192.0.2.255',
  '192.88.99.1',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.254',
  '255.255.255.255',
  // IPv6: unspecified, loopback, unique local, link-local, site-local, multicast
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fc00::1',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  // IPv4 in disguise: mapped, translated, compatible, NAT64, 6to4, Teredo; of a public address too
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '::7f00:1',
  '::8.8.8.8',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::10.0.0.1',
  '64:ff9b:1:ffff::1',
  '2002:7f00:1::1',
  '2002:a9fe:a9fe::',
  '2002:808:808::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001::1',
  // assignments, benchmarking, ORCHID, documentation, discard, 6bone, segment routing, not given out
  '2001:1::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2001:db8:ffff:ffff::1',
  '3fff::1',
  '3fff:fff:ffff::1',
  '3ffe::1',
  '100::1',
  '100:0:0:1::1',
  '5f00::1',
  '200::1',
  '1fff::1',
  '4000::1',
  '8000::1',
  // with a zone
  'fe80::1%eth0',
  '2606:4700:4700::1111%eth0',
  '::1%lo',
];

const noAddress = [
  '',
  'localhost',
  'example.com',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '1.2.3',
  '8.8.8.8.',
  ' 8.8.8.8',
  '8.8.8.8/32',
  '[2600::]',
  '256.1.1.1',
  '2600:::1',
  '1::2::3',
];

describe('an IP address', () => {
  it('is public when it means the same machine everywhere on the Internet', () => {
    expect(open.filter((address) => !isPublicAddress(address))).to.deep.equal([]);
  });

  it('is not public when it is anything else, in every notation', () => {
    expect(closed.filter(isPublicAddress)).to.deep.equal([]);
    expect(noAddress.filter(isPublicAddress)).to.deep.equal([]);
  });

  it('is classified the same in every notation of its IPv6 groups', () => {
    const parsed = (address: string) => new URL(`http://[${address}]/`).hostname.slice(1, -1);
    const written = [...open, ...closed].filter((address) => address.includes(':') && !address.includes('%'));
    expect(written.filter((address) => isPublicAddress(address) !== isPublicAddress(parsed(address)))).to.deep.equal([]);
    expect(written.filter((address) => isPublicAddress(address) !== isPublicAddress(address.toUpperCase()))).to.deep.equal([]);
  });

  it('is a loopback address in 127.0.0.0/8 and as ::1 only', () => {
    const loopback = ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1', '::0.0.0.1'];
    const others = [
      '0.0.0.0',
      '::',
      '126.255.255.255',
      '128.0.0.0',
      '10.0.0.1',
      '::2',
      '::ffff:127.0.0.1',
      '::0.0.5.1',
      '::0.5.0.1',
      '::5.0.0.1',
      '169.254.169.254',
      'localhost',
      '',
    ];
    expect([...loopback, ...others].filter(isLoopbackAddress)).to.deep.equal(loopback);
  });
});
