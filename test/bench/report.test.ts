import { expect } from 'chai';
import { aimTable } from '../../scripts/bench/report/aims.ts';
import { growthCharts } from '../../scripts/bench/report/growth.ts';
import { formatPage } from '../../scripts/bench/report/markdown.ts';
import { formatSamples } from '../../scripts/bench/report/samples.ts';
import { drawSvg } from '../../scripts/bench/report/svg.ts';
import { beforeTable, resultTable, summarise } from '../../scripts/bench/report/tables.ts';
import { isValid, mergeRuns, type Run, type Series } from '../../scripts/bench/results.ts';
import type { TargetName } from '../../scripts/bench/targets.ts';

const times = (value: number, count = 40): number[] => Array.from({ length: count }, () => value);

const series = (target: TargetName, cpu: number | number[], over: Partial<Series> = {}): Series => {
  const cpuMicros = typeof cpu === 'number' ? times(cpu) : cpu;
  const values = { cpuMicros, perSecond: cpuMicros.map((micros) => 1_000_000 / micros), p50: [2], p99: [5] };
  return { row: 'coupon', engine: 'sqlite', size: '1k', target, values, ...over };
};

const start: Series = {
  ...series('service', 1),
  row: 'start',
  values: { cpuMicros: times(900_000, 10), startMs: times(700, 10), idleMegabytes: times(105, 10) },
};

const run = (...all: Series[]): Run => ({ date: '2026-11-15', machine: 'two cores', series: all });

const steady = [series('floor', 20), series('fastify', 100), series('service', 50)];
const unsteady = [
  series('floor', 20),
  series(
    'service',
    times(50).map((cpu, index) => cpu * (1 + (index % 5) / 4)),
  ),
];

const aimOf = (title: string, of: Run) => aimTable(of).find(([first]) => first === title);
const verdictOf = (title: string, of: Run): string | undefined => aimOf(title, of)?.at(-1);
const repeatedCoupon = 'one coupon, repeated, against Fastify';

/** Every tag is closed in order, and text has no character that must be escaped. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  for (const [, closing, name = '', inside = ''] of svg.matchAll(/<(\/?)([a-z]+)([^<>]*)>/g)) {
    if (closing && open.pop() !== name) return false;
    if (!closing && !inside.endsWith('/')) open.push(name);
  }
  return open.length === 0 && !/&(?!(amp|lt|gt|quot);)/.test(svg) && /^<svg [^>]*xmlns=/.test(svg);
}

describe('The report of the bench', () => {
  it('shows CPU and throughput of each target, with the ratio of the service to it and its interval', () => {
    const [, floor, fastify, service] = resultTable(steady);
    const place = ['One coupon', 'sqlite', '1k'];
    expect(fastify).to.deep.equal([
      ...place,
      'Fastify 5 + Ajv + better-sqlite3',
      '100 µs',
      '0.50 (0.50 – 0.50)',
      '±0.0 %',
      '10,000/s',
      '2.00 (2.00 – 2.00)',
      '2.00 ms',
      '5.00 ms',
    ]);
    expect(service).to.deep.equal([...place, 'affiliate-program-api', '50 µs', '', '', '20,000/s', '', '2.00 ms', '5.00 ms']);
    expect(floor?.[5]).to.equal('2.50 (2.50 – 2.50)');
  });

  it('compares slices in pairs, so that slices which the machine slowed down for both change no ratio', () => {
    const load = times(1).map((_, index) => (index % 3 === 0 ? 4 : 1));
    const loaded = [
      series(
        'floor',
        load.map((factor) => 20 * factor),
      ),
      series(
        'service',
        load.map((factor) => 50 * factor),
      ),
    ];
    expect(resultTable(loaded)[1]?.slice(5, 7)).to.deep.equal(['2.50 (2.50 – 2.50)', '±0.0 %']);
    expect(isValid(loaded)).to.equal(true);
  });

  it('calls a row invalid when the interval of one of its CPU ratios reaches further than 10 %', () => {
    expect([isValid(steady), isValid(unsteady)]).to.deep.equal([true, false]);
    expect(isValid([series('fastify', unsteady[1]?.values.cpuMicros as number[]), ...steady])).to.equal(false);
    expect(resultTable(unsteady)[1]?.[6]).to.contain('invalid');
    expect(verdictOf(repeatedCoupon, run(...unsteady, series('fastify', 100)))).to.equal('not decided (invalid)');
  });

  it('judges a row without another target by the interval of its own samples', () => {
    const scattered = { ...start, values: { cpuMicros: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } };
    expect([isValid([start]), isValid([scattered])]).to.deep.equal([true, false]);
  });

  it('calls a row invalid that has too few samples for an interval', () => {
    expect(isValid([series('floor', times(20, 5)), series('service', times(50, 5))])).to.equal(false);
  });

  it('counts valid rows', () => {
    const other = unsteady.map((each) => ({ ...each, row: 'feed' }));
    expect(summarise(run(...steady, ...other))).to.equal('1 of 2 rows are valid (50 %).');
  });

  it('compares with an earlier version, and marks rows that cost more than 10 % more', () => {
    const rows = [
      ...[series('before', 50), series('service', 60)],
      ...[series('before', 50, { row: 'feed' }), series('service', 52, { row: 'feed' })],
      ...[series('before', 50, { row: 'me' }), series('service', 30, { row: 'me' })],
    ];
    const [head, coupon, feed, me] = beforeTable(rows);
    expect(head?.slice(4, 7)).to.deep.equal(['now', 'before', 'now ÷ before']);
    expect(coupon?.slice(3)).to.deep.equal(['CPU', '60 µs', '50 µs', '1.20 (1.20 – 1.20)', '±0.0 %', 'SLOWER']);
    expect([feed?.at(-1), me?.at(-1)]).to.deep.equal(['', 'faster']);
    expect(summarise(run(...rows))).to.contain('Slower than before by more than 10 %: One coupon (sqlite, 1k).');
    expect(formatPage({ ...run(...rows), before: '6424621' })).to.contain('## Against 6424621');
  });

  it('shows no comparison where no earlier version was measured', () => {
    expect(beforeTable(steady)).to.deep.equal([]);
    expect(formatPage(run(...steady))).not.to.contain('## Against');
  });

  it('sets results against aims', () => {
    expect(aimOf(repeatedCoupon, run(...steady))).to.deep.equal([repeatedCoupon, '≥ 1.20 ×', '≥ 1.50 ×', '2.00 ×', 'aim reached']);
    expect(verdictOf(repeatedCoupon, run(series('fastify', 65), series('service', 50)))).to.equal('reached');
    expect(verdictOf(repeatedCoupon, run(series('fastify', 50), series('service', 50)))).to.equal('missed');
    const around = (micros: number): number[] => times(micros).map((value, index) => value * (index % 2 === 0 ? 0.96 : 1.04));
    expect(verdictOf(repeatedCoupon, run(series('fastify', around(60.5)), series('service', 50)))).to.equal('not decided');
    expect(verdictOf(repeatedCoupon, run(series('fastify', around(76)), series('service', 50)))).to.equal('reached');
    expect([verdictOf('start to listening', run(start)), verdictOf('idle memory', run(start))]).to.deep.equal(['reached', 'reached']);
    expect(verdictOf(repeatedCoupon, run(start))).to.equal('not measured');
  });

  it('computes growth from the smallest to the largest data set in units of the floor of each', () => {
    const feed = (size: '1k' | '2m', floor: number, service: number) => [
      series('floor', floor, { row: 'feed', size }),
      series('service', service, { row: 'feed', size }),
    ];
    const grown = aimOf('change feed, 5 M events against 2.5 k', run(...feed('1k', 20, 100), ...feed('2m', 40, 240)));
    expect(grown?.slice(3)).to.deep.equal(['1.20 ×', 'aim reached']);
  });

  it('sets results on PostgreSQL against aims of their own, with the CPU time of the database where data grow', () => {
    const on = (target: TargetName, cpu: number, database: number, over: Partial<Series> = {}): Series => {
      const { values, ...each } = series(target, cpu, { engine: 'postgres', ...over });
      return { ...each, values: { ...values, ...(database > 0 && { databaseMicros: times(database) }) } };
    };
    const coupon = [on('fastify-pg', 120, 90), on('service', 100, 90), on('service-4', 105, 90)];
    const clicks = (size: '1k' | '2m', database: number) => [
      on('floor', 20, 0, { row: 'clicks-range', size }),
      on('service', 100, database, { row: 'clicks-range', size }),
    ];
    const measured = run(...coupon, ...clicks('1k', 100), ...clicks('2m', 700));
    expect(aimOf('PostgreSQL: one coupon, against Fastify + pg', measured)?.slice(3)).to.deep.equal(['1.20 ×', 'reached']);
    expect(aimOf('PostgreSQL: one coupon, CPU of four processes against one', measured)?.slice(3)).to.deep.equal(['1.05 ×', 'reached']);
    expect(aimOf('PostgreSQL: clicks, 5 M against 2.5 k', measured)?.slice(3)).to.deep.equal(['4.00 ×', 'missed']);
    expect(aimOf(repeatedCoupon, measured)?.at(-1)).to.equal('not measured');
  });

  it('replaces whole rows of the last run with those of a partial one', () => {
    const feed = [series('floor', 7, { row: 'feed' }), series('service', 1, { row: 'feed' })];
    const merged = mergeRuns(run(...steady, ...feed, start), { ...run(series('service', 9)), date: '2026-11-16' });
    expect(merged.series.map(({ row, target }) => `${row} ${target}`)).to.deep.equal([
      'coupon service',
      'feed floor',
      'feed service',
      'start service',
    ]);
    expect([merged.series[0]?.values.cpuMicros?.[0], merged.date]).to.deep.equal([9, '2026-11-16']);
  });

  it('writes a page with one line for each target and metric, each with as many cells as the head', () => {
    const lines = formatPage(run(...steady, start)).split('\n');
    expect(lines).to.include('| Start: time to listening | sqlite | 1k | affiliate-program-api | 900 ms |  | ±0.0 % | 700 ms |  |  |  |');
    expect(lines).to.include('| Start: resident memory, idle | sqlite | 1k | affiliate-program-api |  |  |  | 105 MB |  |  |  |');
    const cells = lines
      .filter((line) => line.startsWith('| One coupon |') || line.startsWith('| row |'))
      .map((line) => line.split('|').length);
    expect(cells).to.deep.equal([13, 13, 13, 13]);
  });

  it('writes all samples, from which the page can be computed again', () => {
    const measured = { ...run(...steady, start), before: '6424621' };
    const [about, ...lines] = formatSamples(measured).trimEnd().split('\n');
    const again = { ...JSON.parse(about ?? ''), series: lines.map((line) => JSON.parse(line)) } as Run;
    expect(again).to.deep.equal(measured);
    expect(formatPage(again)).to.equal(formatPage(measured));
  });

  it('draws a well-formed picture with a bar for each target, the cheapest first', () => {
    const svg = drawSvg(run(...steady));
    expect(isWellFormed(svg), svg).to.equal(true);
    expect(svg.match(/<rect class="(bar|ours)"/g)).to.have.length(3);
    expect(svg.match(/class="ours"/g)).to.have.length(1);
    expect(svg.indexOf('floor)')).to.be.lessThan(svg.indexOf('affiliate-program-api'));
    expect(svg.indexOf('affiliate-program-api')).to.be.lessThan(svg.indexOf('Fastify 5'));
  });

  it('draws the growth of each family, without the sizes that were not measured, and embeds it in the page', () => {
    const at = (size: '1k' | '2m', target: TargetName, cpu: number) => series(target, cpu, { row: 'feed', size });
    const measured = run(at('1k', 'service', 100), at('2m', 'service', 110), at('1k', 'fastify', 90));
    const charts = growthCharts(measured);
    expect([...charts.keys()]).to.deep.equal(['bench-feed.svg']);
    const chart = charts.get('bench-feed.svg') ?? '';
    expect(isWellFormed(chart), chart).to.equal(true);
    expect(chart.match(/<circle/g)).to.have.length(3);
    for (const note of ['this service, SQLite at 100 k', 'Fastify, SQLite at 100 k, 2 M', 'Fastify, PostgreSQL at 1 k, 100 k, 2 M'])
      expect(chart).to.contain(`Not measured: ${note}`);
    const page = formatPage(measured);
    expect(page).to.contain('](images/bench-feed.svg)').and.to.contain('No size of “Report, a new range each time” was measured.');
  });

  it('draws a well-formed picture of a run without the rows that it shows', () => {
    expect(isWellFormed(drawSvg(run()))).to.equal(true);
  });
});
