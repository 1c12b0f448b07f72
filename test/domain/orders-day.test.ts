import { expect } from 'chai';
import fc from 'fast-check';
import { dayOf } from '../../domain/dates.ts';
import { storeDayOf } from '../../domain/orders/store-day.ts';

// With changes of the clock at midnight, of half an hour, of a whole day, and none.
const zones = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'UTC',
];

describe('the day of an order', () => {
  it('is the day of the calendar, in every zone and around every change of the clock', () => {
    const moment = fc.integer({ min: Date.parse('2009-01-01T00:00:00Z'), max: Date.parse('2030-01-01T00:00:00Z') });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, (zone, at) => {
        expect(storeDayOf(at, zone)).to.equal(dayOf(at, zone));
      }),
      { numRuns: 2000 },
    );
  });

  it('is right in every quarter of an hour of the days on which clocks change', () => {
    const days: [string, string][] = [
      ['Europe/Berlin', '2026-10-25'],
      ['Europe/London', '2026-03-29'],
      ['Australia/Lord_Howe', '2026-04-04'],
      ['America/Sao_Paulo', '2018-11-04'],
      ['Pacific/Apia', '2011-12-30'],
    ];
    for (const [zone, day] of days)
      for (let quarter = -96; quarter < 192; quarter += 1) {
        const at = Date.parse(`${day}T00:00:00Z`) + quarter * 900_000;
        expect(storeDayOf(at, zone), `${zone} ${new Date(at).toISOString()}`).to.equal(dayOf(at, zone));
      }
  });
});
