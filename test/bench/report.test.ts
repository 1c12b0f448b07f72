import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { RowResult } from '../../scripts/bench/measure.ts';
import { formatMarkdown, summarise, tableOf } from '../../scripts/bench/report.ts';
import { rows } from '../../scripts/bench/rows.ts';
import { optionsFrom } from '../../scripts/bench/run.ts';
import { withSpeed } from '../../scripts/generate/speed.ts';
import { UsageError } from '../../scripts/shared/usage.ts';

const times = (value: number, count = 20) => Array.from({ length: count }, () => ({ value, perSecond: 1_000_000 / value }));
const results: RowResult[] = [
  { row: 'coupon', engine: 'sqlite', series: { floor: times(20), fastify: times(100), before: times(80), service: times(50) } },
  { row: 'start', engine: 'sqlite', series: { service: times(700, 4).map(({ value }) => ({ value })) } },
  { row: 'feed', engine: 'sqlite', series: {} },
];

describe('The report of the bench', () => {
  it('has the service divided by each other target, with the interval, and marks rows that are invalid or failed', () => {
    expect(formatMarkdown(tableOf(results, 'sqlite', '42e01f5'))).to.equal(
      [
        '| row | what | service | per second | ÷ floor | ÷ Fastify | ÷ 42e01f5 | 95 % |',
        '| --- | --- | --- | --- | --- | --- | --- | --- |',
        '| coupon | one coupon, repeated | 50.0 µs | 20,000 | 2.50 (2.50 – 2.50) | 0.50 (0.50 – 0.50) | 0.63 (0.63 – 0.63) | ±0 % |',
        '| start | start to listening | 700 ms |  |  |  |  | too few samples, invalid |',
        '| feed | failed |  |  |  |  |  |  |',
      ].join('\n'),
    );
    expect(summarise(results)).to.equal('1 of 3 rows are valid.');
  });

  it('is stored in docs/BENCHMARKS.md with a line for each row on each of its engines', () => {
    const page = readFileSync('docs/BENCHMARKS.md', 'utf8');
    for (const { name, engine } of rows) expect(page.split(`\n| ${name} |`), name).to.have.length(engine ? 2 : 3);
  });
});

describe('The figures of the README', () => {
  const readme = 'Fast.\n<!-- From docs/BENCHMARKS.md, by npm run generate: -->\n- made up: 0.10 times\n<!-- until here. -->\nMIT';
  const table = (...lines: string[]) => [
    '### SQLite',
    '| row | what | service | ÷ Fastify | 95 % |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ];
  const speeds = (...lines: string[]) => withSpeed(readme, `Figures\n\n${table(...lines).join('\n')}`).match(/^- .*$/gm);

  it('are those of valid rows with a peer, and nothing else is said', () => {
    const valid = '| coupon | one coupon, repeated | 152 µs | 0.54 (0.50 – 0.58) | ±8 % |';
    const invalid = '| orders | first page | 1,406 µs | 0.27 (0.24 – 0.31) | ±17 %, invalid |';
    expect(speeds(valid, invalid, '| start | start | 835 ms |  | ±2 % |')).to.deep.equal(['- SQLite, one coupon, repeated: 0.54 times']);
    expect(speeds(invalid)).to.equal(null);
  });
});

describe('A comment that names a benchmark row', () => {
  it('names one that exists', () => {
    const files = execFileSync('git', ['grep', '-ilE', 'benchmark rows?', '--', 'db', 'domain', 'server'], { encoding: 'utf8' });
    const comments = files
      .trim()
      .split('\n')
      .flatMap((file) => readFileSync(file, 'utf8').match(/benchmark rows? [^)]*/g) ?? []);
    const named = comments.flatMap((comment) => [...comment.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
    expect(named).to.include.members(['ingest', 'request-payout']);
    expect(rows.map(({ name }) => name)).to.include.members(named);
  });
});

describe('The options of the bench', () => {
  it('measure everything by default and write the page, and only then', () => {
    expect(optionsFrom([])).to.deep.equal({
      rows: rows.map(({ name }) => name),
      engines: ['sqlite', 'postgres'],
      rounds: 14,
      builds: true,
      writesPage: true,
    });
    const part = optionsFrom(['--row', 'coupon', '--row', 'me', '--against', 'HEAD~1', '--no-build']);
    expect(part).to.deep.include({ rows: ['coupon', 'me'], against: 'HEAD~1', writesPage: false, builds: false });
  });

  it('refuse a row that does not exist', () => {
    expect(() => optionsFrom(['--row', 'cupon'])).to.throw(UsageError, 'There is no row cupon.');
  });
});
