import { expect } from 'chai';
import fc from 'fast-check';
import { dayAfter, dayOf, endOfDay, isTimeZone, localDateTime, startOfDay } from '../../domain/dates.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Cairo',
  'Asia/Amman',
];
const utc = (text: string): number => Date.parse(text);

describe("the store's calendar", () => {
  it('formats a moment in local time, without offset', () => {
    expect(localDateTime(utc('2026-10-22T08:05:00.900Z'), 'Europe/Berlin')).to.equal('2026-10-22T10:05:00');
    expect(localDateTime(utc('2026-01-01T00:30:00Z'), 'America/New_York')).to.equal('2025-12-31T19:30:00');
    expect(localDateTime(utc('2026-01-01T00:00:00Z'), 'Asia/Kathmandu')).to.equal('2026-01-01T05:45:00');
  });

  it('has a day of 23 hours when the clock is put forward and one of 25 when it is put back', () => {
    const hours = (day: string): number => (endOfDay(day, 'Europe/Berlin') - startOfDay(day, 'Europe/Berlin')) / 3_600_000;
    expect([hours('2026-03-28'), hours('2026-03-29'), hours('2026-10-25')]).to.deep.equal([24, 23, 25]);
  });

  it('starts a day without midnight at its first moment', () => {
    // Brazil put the clock forward at 00:00 on this day, so it began at 01:00.
    expect(localDateTime(startOfDay('2018-11-04', 'America/Sao_Paulo'), 'America/Sao_Paulo')).to.equal('2018-11-04T01:00:00');
  });

  it('starts a day that did not exist with the next, and ends the day before there', () => {
    // Samoa had no 30 December in 2011.
    const [skipped, before] = ['2011-12-30', '2011-12-29'];
    expect(startOfDay(skipped, 'Pacific/Apia')).to.equal(utc('2011-12-30T10:00:00Z'));
    expect([startOfDay(before, 'Pacific/Apia'), endOfDay(before, 'Pacific/Apia')]).to.deep.equal([
      utc('2011-12-29T10:00:00Z'),
      utc('2011-12-30T10:00:00Z'),
    ]);
  });

  it('starts a day that has two midnights at the first of the two', () => {
    // Cuba puts the clock back at 01:00 to 00:00.
    expect(startOfDay('2026-11-01', 'America/Havana')).to.equal(utc('2026-11-01T04:00:00Z'));
    // So did Jordan, east of Greenwich.
    expect(startOfDay('2021-10-29', 'Asia/Amman')).to.equal(utc('2021-10-28T21:00:00Z'));
  });

  it('assigns each moment to exactly one day, in every zone, over every daylight saving change', () => {
    const moment = fc.integer({ min: utc('2005-01-01T00:00:00Z'), max: utc('2035-01-01T00:00:00Z') });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, (zone, at) => {
        const day = dayOf(at, zone);
        return startOfDay(day, zone) <= at && at < endOfDay(day, zone);
      }),
      { numRuns: 1000 },
    );
  });

  it('has the local time of Intl in every quarter of an hour of the days on which clocks change', () => {
    // Changes at midnight, of half an hour, and of a whole day.
    const days: [zone: string, day: string][] = [
      ['Europe/Berlin', '2026-10-25'],
      ['Europe/London', '2026-03-29'],
      ['Australia/Lord_Howe', '2026-04-04'],
      ['America/Sao_Paulo', '2018-11-04'],
      ['Pacific/Apia', '2011-12-30'],
    ];
    for (const [timeZone, day] of days) {
      const intl = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
      for (let quarter = -96; quarter < 192; quarter += 1) {
        const at = utc(`${day}T00:00:00Z`) + quarter * 900_000;
        expect(localDateTime(at, timeZone), `${timeZone} ${new Date(at).toISOString()}`).to.equal(intl.format(at).replace(' ', 'T'));
      }
    }
  });

  it('starts every day of fifteen years at its first moment, in every zone', () => {
    for (const zone of zones)
      for (let day = '2010-01-01'; day < '2025-01-01'; day = dayAfter(day)) {
        const start = startOfDay(day, zone);
        const isFirst = dayOf(start, zone) >= day && dayOf(start - 1, zone) < day;
        if (!isFirst) expect.fail(`${day} in ${zone} does not start at ${new Date(start).toISOString()}.`);
      }
  });

  it('accepts time zones by their IANA names, and no others', () => {
    expect(isTimeZone('Europe/Berlin')).to.equal(true);
    expect(isTimeZone('Europe/Atlantis')).to.equal(false);
    expect(isTimeZone('')).to.equal(false);
  });
});
