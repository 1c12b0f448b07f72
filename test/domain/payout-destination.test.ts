import { expect } from 'chai';
import { readDestination } from '../../domain/payout-details/destination.ts';
import { findIbanProblem } from '../../domain/payout-details/iban.ts';

describe('the destination of a payout', () => {
  const bank = { holder: 'Nora Ås', iban: 'de89 3704 0044 0532 0130 00', town: 'Oslo', country: 'no' };

  it('is normalized: an IBAN without spaces, codes in capitals, empty optional fields', () => {
    expect(readDestination('banktransfer', { ...bank, bic: 'cobadeff' })?.destination).to.deep.equal({
      kind: 'banktransfer',
      holder: 'Nora Ås',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFF',
      street: '',
      postcode: '',
      town: 'Oslo',
      country: 'NO',
    });
    expect(readDestination('wisebank', { holder: 'A', recipient_id: 4711 })?.destination).to.deep.include({
      recipient_id: '4711',
      email: '',
    });
    expect(readDestination('custom', { anything: 1 })).to.equal(null);
  });

  const wrong: [kind: 'banktransfer' | 'paypal' | 'wisebank', details: Record<string, unknown>, field: string, problem: RegExp][] = [
    ['banktransfer', { ...bank, iban: 'DE89370400440532013001' }, 'iban', /check digits/],
    ['banktransfer', { ...bank, iban: 'DE8937040044053201300' }, 'iban', /21 characters.*22/],
    ['banktransfer', { ...bank, iban: 'XX89370400440532013000' }, 'iban', /XX/],
    ['banktransfer', { ...bank, iban: undefined }, 'iban', /missing/],
    ['banktransfer', { ...bank, holder: ' ' }, 'holder', /missing/],
    ['banktransfer', { ...bank, holder: 'a\nb' }, 'holder', /one line/],
    ['banktransfer', { ...bank, holder: { name: 'x' } }, 'holder', /text/],
    ['banktransfer', { ...bank, town: undefined }, 'town', /missing/],
    ['banktransfer', { ...bank, country: 'ZZ' }, 'country', /^must be the ISO 3166 code of a country, such as DE$/],
    ['banktransfer', { ...bank, country: 'Austria' }, 'country', /^must be the ISO 3166 code of a country, such as AT for Austria$/],
    ['banktransfer', { ...bank, country: 'AUT' }, 'country', /^must be the ISO 3166 code of a country, such as DE$/],
    ['banktransfer', { ...bank, bic: 'COBADE' }, 'bic', /BIC/],
    ['banktransfer', { ...bank, swift: 'COBADEFF' }, 'swift', /no field of banktransfer/],
    ['paypal', { email: 'nowhere' }, 'email', /email address/],
    ['wisebank', { holder: 'A' }, 'email', /email or recipient_id/],
    ['wisebank', { holder: 'A', email: 'a@b.example', recipient_id: '1' }, 'recipient_id', /one of them/],
    ['wisebank', { holder: 'A', email: 'a@b.example', currency: 'XXZ' }, 'currency', /ISO 4217/],
  ];
  for (const [kind, details, field, problem] of wrong)
    it(`is refused where ${field} ${problem.source}: ${JSON.stringify(details[field])} (${kind})`, () => {
      const { problems = [] } = readDestination(kind, details) ?? {};
      expect(problems.map((found) => found.field)).to.deep.equal([field]);
      expect(problems[0]?.problem).to.match(problem);
    });

  it('is refused with all its problems', () => {
    const { problems = [] } = readDestination('banktransfer', { ...bank, town: '', city: 'Oslo', country: 'DEU' }) ?? {};
    expect(problems.map(({ field }) => field)).to.deep.equal(['city', 'town', 'country']);
  });

  it('finds every mistyped and every swapped character of an IBAN', () => {
    const iban = 'GB82WEST12345698765432';
    expect(findIbanProblem(iban)).to.equal(null);
    for (let index = 2; index < iban.length; index += 1) {
      const [character = '', next = ''] = [iban[index], iban[index + 1]];
      for (const other of /\d/.test(character) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
        if (other !== character)
          expect(findIbanProblem(iban.slice(0, index) + other + iban.slice(index + 1)), `${index} ${other}`).not.to.equal(null);
      if (next !== '' && next !== character)
        expect(findIbanProblem(iban.slice(0, index) + next + character + iban.slice(index + 2)), `${index}`).not.to.equal(null);
    }
  });
});
