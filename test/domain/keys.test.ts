import { expect } from 'chai';
import { generateToken, hashToken, keyStatus, prefixOf } from '../../domain/keys/key.ts';
import { systemRandom } from '../../domain/random.ts';

describe('an API key', () => {
  it('is svc_ and 40 lower-case hex characters, of which twelve are its prefix', () => {
    const token = generateToken(systemRandom);
    expect(token).to.match(/^svc_[0-9a-f]{40}$/);
    expect(prefixOf(token)).to.equal(token.slice(0, 12));
    expect(hashToken(token)).to.match(/^[0-9a-f]{64}$/);
  });

  it("works until the last second of its day in the store's time zone, and not one longer", () => {
    const key = { expiresDay: '2026-10-25', revokedAt: null };
    // Berlin puts the clock back on this day: it ends at 23:00 UTC.
    expect(keyStatus(key, Date.parse('2026-10-25T22:59:59Z'), 'Europe/Berlin')).to.equal('active');
    expect(keyStatus(key, Date.parse('2026-10-25T23:00:00Z'), 'Europe/Berlin')).to.equal('expired');
    expect(keyStatus(key, Date.parse('2026-10-25T23:00:00Z'), 'America/New_York')).to.equal('active');
  });

  it('stays revoked, expired or not', () => {
    expect(keyStatus({ expiresDay: '2020-01-01', revokedAt: 1 }, Date.now(), 'UTC')).to.equal('revoked');
    expect(keyStatus({ expiresDay: null, revokedAt: null }, Date.now(), 'UTC')).to.equal('active');
  });
});
