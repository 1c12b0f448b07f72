import { expect } from 'chai';
import { dayRange } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import { type Interval, type IntervalStep, splitRange } from '../../domain/figures/intervals.ts';
import { VersionedCache } from '../../domain/versioned-cache.ts';

const today = '2026-11-02';

const refusal = (work: () => unknown): ApiError => {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
};

describe('a range of days', () => {
  it('is open at both ends without from and to', () => {
    expect(dayRange({}, today)).to.deep.equal({ from: null, to: null });
  });

  it('ends today when only from is set', () => {
    expect(dayRange({ from: '2026-10-01' }, today)).to.deep.equal({ from: '2026-10-01', to: today });
    expect(dayRange({ from: today }, today)).to.deep.equal({ from: today, to: today });
  });

  it('begins with the first data when only to is set, which may be in the future', () => {
    expect(dayRange({ to: '2026-10-31' }, today)).to.deep.equal({ from: null, to: '2026-10-31' });
    expect(dayRange({ to: '2027-01-01' }, today)).to.deep.equal({ from: null, to: '2027-01-01' });
  });

  it('may be in the future as a whole when both ends are set', () => {
    expect(dayRange({ from: '2027-01-01', to: '2027-01-01' }, today)).to.deep.equal({ from: '2027-01-01', to: '2027-01-01' });
  });

  it('is empty when from is in the future and to is not set', () => {
    expect(dayRange({ from: '2026-11-03' }, today)).to.deep.equal({ from: '2026-11-03', to: today });
  });

  it('is refused when it begins after its end', () => {
    const { code, details } = refusal(() => dayRange({ from: '2026-10-02', to: '2026-10-01' }, today));
    expect(code).to.equal('rest_invalid_param');
    expect(details.data?.params).to.have.all.keys('from');
  });
});

describe('the steps of a range', () => {
  const steps = (from: string, to: string, interval: Interval): string[] =>
    splitRange({ from, to }, interval).map((step: IntervalStep) => `${step.from}/${step.to}`);

  it('are its days, one by one, over a daylight saving change and a leap day', () => {
    expect(steps('2026-10-24', '2026-10-26', 'day')).to.deep.equal(['24', '25', '26'].map((day) => `2026-10-${day}/2026-10-${day}`));
    expect(steps('2028-02-28', '2028-03-01', 'day')).to.have.length(3);
  });

  it('are weeks from Monday to Sunday, cut off at the ends of the range', () => {
    expect(steps('2026-10-01', '2026-10-14', 'week')).to.deep.equal([
      '2026-10-01/2026-10-04',
      '2026-10-05/2026-10-11',
      '2026-10-12/2026-10-14',
    ]);
    expect(steps('2026-10-05', '2026-10-11', 'week')).to.deep.equal(['2026-10-05/2026-10-11']);
    expect(steps('1969-12-28', '1969-12-29', 'week')).to.deep.equal(['1969-12-28/1969-12-28', '1969-12-29/1969-12-29']);
  });

  it('are months, cut off at the ends of the range', () => {
    expect(steps('2026-12-31', '2027-03-01', 'month')).to.deep.equal([
      '2026-12-31/2026-12-31',
      '2027-01-01/2027-01-31',
      '2027-02-01/2027-02-28',
      '2027-03-01/2027-03-01',
    ]);
  });

  it('reach to the last representable day', () => {
    expect(steps('9999-12-30', '9999-12-31', 'day')).to.deep.equal(['9999-12-30/9999-12-30', '9999-12-31/9999-12-31']);
    expect(steps('9999-12-01', '9999-12-31', 'month')).to.deep.equal(['9999-12-01/9999-12-31']);
    expect(steps('0000-01-01', '0000-01-02', 'week')).to.deep.equal(['0000-01-01/0000-01-02']);
  });

  it('are ten years of days at most: a longer series is refused with the interval to use instead', () => {
    expect(steps('2020-01-01', '2029-12-31', 'day')).to.have.length(3653);
    const { code, details } = refusal(() => splitRange({ from: '0001-01-01', to: '9999-12-31' }, 'day'));
    expect(code).to.equal('rest_invalid_param');
    expect(details.data?.params?.['interval']).to.match(/longer steps or a shorter range/);
    expect(steps('1990-01-01', '2029-12-31', 'week').length).to.equal(2088);
  });
});

describe('a versioned cache', () => {
  it('returns nothing of another version', () => {
    const cache = new VersionedCache<string>(10);
    cache.set('coupon 1', '1:7', 'figures');
    expect(cache.get('coupon 1', '1:7')).to.equal('figures');
    expect(cache.get('coupon 1', '1:8')).to.equal(undefined);
    expect(cache.get('coupon 1', '1:7'), 'a version that another one has replaced').to.equal(undefined);
  });

  it('drops the least recently used entries, and never exceeds its weight', () => {
    const cache = new VersionedCache<string>(12);
    for (const name of ['a', 'b', 'c']) cache.set(name, '1', name, 4);
    expect(cache.get('a', '1')).to.equal('a');
    cache.set('d', '1', 'd', 4);
    expect(['a', 'b', 'c', 'd'].filter((name) => cache.get(name, '1'))).to.deep.equal(['a', 'c', 'd']);
    cache.set('larger than all', '1', 'large', 101);
    expect(cache.get('larger than all', '1')).to.equal(undefined);
    for (let time = 0; time < 5; time += 1) cache.set('e', String(time), 'e', 12);
    expect(cache.get('e', '4')).to.equal('e');
  });
});
