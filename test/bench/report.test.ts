import { expect } from 'chai';
import { type Figure, median, percentile, type Run, spread, together } from '../../scripts/bench/figures.ts';
import { reachedIn, verdict } from '../../scripts/bench/report/aims.ts';
import { markdownOf } from '../../scripts/bench/report/markdown.ts';
import { svgOf } from '../../scripts/bench/report/svg.ts';

const figure = (target: string, perSecond: number[], over: Partial<Figure> = {}): Figure => ({
  row: 'coupon',
  engine: 'sqlite',
  size: '1k',
  target,
  perSecond,
  p50: [2],
  p99: [5],
  cpuMicros: [80],
  ...over,
});

const run = (figures: Figure[]): Run => ({
  date: '2026-11-15',
  machine: 'two cores',
  rounds: 3,
  secondsPerRound: 2,
  figures,
  readings: [{ row: 'start', engine: 'sqlite', size: '1k', target: 'service', unit: 'ms', values: [700, 900, 800] }],
});

const steady = [
  figure('floor', [10_000, 10_100, 9_900]),
  figure('fastify', [4_000, 4_000, 4_100]),
  figure('service', [6_000, 6_100, 5_900]),
];

const aimOf = (what: string, given: Run) => reachedIn(given).find((each) => each.what.startsWith(what));

/** Every tag is closed in its order, and nothing that must be escaped stands in text. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  for (const [, closing, name = '', inside = ''] of svg.matchAll(/<(\/?)([a-z]+)([^<>]*)>/g)) {
    if (closing && open.pop() !== name) return false;
    if (!closing && !inside.endsWith('/')) open.push(name);
  }
  return open.length === 0 && !/&(?!(amp|lt|gt|quot);)/.test(svg) && /^<svg [^>]*xmlns=/.test(svg);
}

describe('the report of the bench', () => {
  it('of a part goes into the last run: whole rows in the place of their former ones, the others as they were', () => {
    const feed = [figure('floor', [7], { row: 'feed' }), figure('service', [1], { row: 'feed' })];
    const { figures, readings } = together(run([...steady, ...feed]), { ...run([figure('service', [9])]), readings: [] });
    expect(figures.map(({ row, target }) => `${row} ${target}`)).to.deep.equal(['coupon service', 'feed floor', 'feed service']);
    expect(figures[0]?.perSecond).to.deep.equal([9]);
    expect(readings.length).to.equal(1);
  });

  it('takes the median and the spread of rounds, and percentiles by rank', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3])]).to.deep.equal([2, 2.5]);
    expect(spread([90, 100, 110])).to.be.closeTo(0.2, 1e-9);
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([percentile(hundred, 0.5), percentile(hundred, 0.99), percentile([7], 0.99)]).to.deep.equal([50, 99, 7]);
  });

  it('sets what was reached against what was aimed for', () => {
    const ofFloor = aimOf('one coupon', run(steady));
    const ofFastify = aimOf('… against Fastify, 32', run(steady));
    expect([ofFloor?.value, ofFloor && verdict(ofFloor)]).to.deep.equal([0.6, 'aim reached']);
    expect([ofFastify?.value, ofFastify && verdict(ofFastify)]).to.deep.equal([1.5, 'aim reached']);
    const start = aimOf('start', run(steady));
    expect(start && verdict(start)).to.equal('aim reached');
  });

  it('says missed where it was missed, and nothing of what was not measured', () => {
    const slow = run([figure('floor', [10_000, 10_000, 10_000]), figure('service', [1_000])]);
    const [ofFloor, import_] = [aimOf('one coupon', slow), aimOf('import', slow)];
    expect([ofFloor && verdict(ofFloor), import_ && verdict(import_)]).to.deep.equal(['missed', 'not measured']);
  });

  it('calls a row invalid when its floor scatters by more than a tenth', () => {
    const unsteady = run([figure('floor', [10_000, 11_500, 9_900]), figure('service', [6_000])]);
    const ofFloor = aimOf('one coupon', unsteady);
    expect(ofFloor && verdict(ofFloor)).to.equal('aim reached (invalid)');
    expect(markdownOf(unsteady)).to.contain('0.60 (invalid)');
  });

  it('calls a row invalid that was measured in fewer than three rounds', () => {
    const short = aimOf('one coupon', run([figure('floor', [10_000, 10_000]), figure('service', [6_000])]));
    expect(short && verdict(short)).to.contain('invalid');
  });

  it('writes one line for each figure and each reading, with as many cells as the head', () => {
    const lines = markdownOf(run(steady)).split('\n');
    const line = lines.find((each) => each.startsWith('| One coupon | sqlite | 1k | affiliate-program-api'));
    expect(line).to.equal('| One coupon | sqlite | 1k | affiliate-program-api | 6,000 | ±2 % | 2.00 | 5.00 | 80 | 0.60 |');
    expect(lines).to.include('| Start to listening | sqlite | 1k | affiliate-program-api | 800 ms | ±13 % |');
  });

  it('draws a well-formed picture with a bar for each target, the fastest first', () => {
    const svg = svgOf(run(steady));
    expect(isWellFormed(svg), svg).to.equal(true);
    expect(svg.match(/<rect class="(bar|ours)"/g)).to.have.length(3);
    expect(svg.match(/class="ours"/g)).to.have.length(1);
    expect(svg.indexOf('floor)')).to.be.lessThan(svg.indexOf('affiliate-program-api'));
    expect(svg.indexOf('affiliate-program-api')).to.be.lessThan(svg.indexOf('Fastify 5'));
  });

  it('draws a well-formed picture also of a run that has measured nothing of it', () => {
    expect(isWellFormed(svgOf(run([])))).to.equal(true);
  });
});
