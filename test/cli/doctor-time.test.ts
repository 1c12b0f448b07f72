import { expect } from 'chai';
import { checkCertificate, checkClock } from '../../cli/doctor/machine.ts';
import { certificate } from './certificate.ts';

const oneDayMs = 86_400_000;

describe('affiliate doctor, about time', () => {
  const to = Date.parse('2030-06-30T00:00:00Z');
  const tls = certificate({ from: Date.parse('2030-01-01T00:00:00Z'), to });
  const stateAt = (day: string): string[] => checkCertificate({ tls }, Date.parse(day)).map(({ state }) => state);

  it('reports a problem when the certificate is not yet or no longer valid, and a warning in its last 14 days', () => {
    expect(stateAt('2029-12-31')).to.deep.equal(['problem']);
    expect(stateAt('2030-03-01')).to.deep.equal(['ok']);
    expect(stateAt('2030-06-15')).to.deep.equal(['ok']);
    expect(stateAt('2030-06-17')).to.deep.equal(['warning']);
    expect(stateAt('2030-07-01')).to.deep.equal(['problem']);
  });

  it('reports nothing about certificates without TLS', () => {
    expect(checkCertificate({ tls: null }, to)).to.deep.equal([]);
  });

  it('reports a problem when the clock shows a day before the program was installed', () => {
    expect(checkClock(to, to - oneDayMs).state).to.equal('ok');
    expect(checkClock(to - 2 * oneDayMs, to).state).to.equal('problem');
  });
});
