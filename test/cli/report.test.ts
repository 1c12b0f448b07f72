import { expect } from 'chai';
import { formatReport, type ReportData } from '../../cli/commands/report.ts';
import { asciiSymbols, blockSymbols, formatBar, formatSparkline } from '../../cli/terminal/format.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon, orders } from '../support/program.ts';
import { TestClock, TestService } from '../support/service.ts';
import { Machine } from './machine.ts';

interface Month {
  month: string;
  from: string;
  to: string;
  orders_count: number;
  total_sales: number;
}

const october = ['--from', '2026-10-01', '--to', '2026-10-30'];

onAnyEngine((engine) => {
  describe('affiliate report', () => {
    let service: TestService;
    let machine: Machine;
    before(async () => {
      service = await TestService.start({ databaseUrl: await engine.freshUrl(), clock: new TestClock() });
      const [ann, bob] = [await service.user('ann', 'affiliate'), await service.user('bob', 'affiliate')];
      const [trail, peak] = [await coupon(service, 'TRAIL10', { userId: ann.id }), await coupon(service, 'PEAK10', { userId: bob.id })];
      await orders(service, [
        { id: 1, coupon: trail, at: '2025-11-01T10:00:00Z', total: 1200 },
        { id: 2, coupon: trail, at: '2026-02-28T10:00:00Z', total: 50.25 },
        { id: 3, coupon: peak, at: '2026-10-03T10:00:00Z', total: 99.5 },
        { id: 4, coupon: trail, at: '2026-10-04T10:00:00Z', total: 300 },
        { id: 5, coupon: trail, at: '2026-10-31T10:00:00Z', total: 7000 },
      ]);
      machine = new Machine({ DATABASE_URL: service.databaseUrl });
    });
    after(() => service.stop());

    it('prints the response of GET /reports/summary and the twelve months until the last day with --json', async () => {
      const admin = await service.client(await service.appPassword(await service.user('boss', 'administrator')));
      const { body } = await admin.get('/reports/summary?from=2026-10-01&to=2026-10-30&top=1');
      const { months, ...summary } = await machine.json<{ months: Month[] }>('report', ...october, '--top', '1');
      const { generated: _here, cached: _new, ...printed } = summary as Record<string, unknown>;
      const { generated: _there, cached: _known, ...response } = body as Record<string, unknown>;
      expect(printed).to.deep.equal(response);
      expect(months).to.have.length(12);
      expect(
        months.filter(({ orders_count }) => orders_count > 0).map((month) => [month.month, month.orders_count, month.total_sales]),
      ).to.deep.equal([
        ['2025-11', 1, 1200],
        ['2026-02', 1, 50.25],
        ['2026-10', 2, 399.5],
      ]);
      expect(months.at(-1)).to.include({ from: '2026-10-01', to: '2026-10-30' });
    });

    it('prints totals, the months as sparklines with their extremes, and the best affiliates with bars', async () => {
      const { out } = await machine.run(['report', ...october], { LC_ALL: 'C.UTF-8', TERM: 'xterm' });
      const lines = out.split('\n');
      expect(lines[1]).to.match(/^From 2026-10-01 to 2026-10-30\. Balances as of \d{4}-\d\d-\d\d \d\d:\d\d, UTC\.$/);
      expect(out)
        .to.match(/^Sales +399\.50 \S+ {6}Orders +2$/m)
        .and.match(/^Pending +\S+ \S+ {6}Clicks +0$/m);
      expect(out).to.match(/^Sales {3}██▁▁▁▁▂▂▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▃ {2}0\.00 \S+ in Dec to 1,200\.00 \S+ in Nov$/m);
      expect(out).to.match(/^Orders {2}▅▅▁▁▁▁▅▅▁{14}██ {2}0 in Dec to 2 in Oct$/m);
      expect(lines).to.include('        N D J F M A M J J A S O');
      expect(out).to.match(/^1 {2}The ann +1 +300\.00 +\S+ {2}█{12}\n2 {2}The bob +1 +99\.50 +\S+ {2}███[▉█]?$/m);
    });
  });
});

describe('affiliate report of an empty store', () => {
  const machine = new Machine();

  it('prints only ASCII characters in a locale without UTF-8', async () => {
    await machine.text('migrate');
    const { code, out } = await machine.run(['report'], { LC_ALL: 'C' });
    expect(code).to.equal(0);
    expect(out)
      .to.match(/^[\n -~]+$/)
      .and.include('All time.')
      .and.include('No affiliate has orders in this time.\n');
    expect(out).to.match(/^Orders {2}_{24} {2}0 in each$/m);
  });
});

const shown = (currency: string, sales: readonly number[]): ReportData => {
  const total = { ordersCount: 3, sales: 123_456_789, discount: 0, commission: 1 };
  const user = { id: 1, login: 'ann', email: '', displayName: '\u001b[2Jann', role: 'affiliate', parentId: null, registeredAt: 0 } as const;
  return {
    report: {
      affiliates: 1,
      coupons: 1,
      pendingRegistrations: 0,
      cached: false,
      payouts: null,
      series: null,
      range: { from: null, to: null },
      balances: { unpaid: 8, pendingOrder: 1, pendingPayout: 2, paid: 0 },
      sources: { referred: 4, multiLevel: 2, awaitingPayment: 1, handedOver: -1, adjusted: 3, forfeited: 0 },
      sums: { total, top: [], clicks: { clicks: 8, conversions: 3 }, at: 0 },
      top: [{ user, sales: { userId: 1, ...total } }],
    },
    months: sales.map((amount, at) => ({ ...total, clicks: 0, conversions: 0, sales: amount, from: `2026-0${at + 1}-01`, to: '' })),
    store: { name: 'Tea', url: '', currency, timezone: 'UTC', statuses: {}, completed_when: 'paid' },
    symbols: blockSymbols,
  };
};

describe('formatReport', () => {
  for (const [currency, sales, pending] of [
    ['JPY', '123,456,789 JPY', '3 JPY'],
    ['EUR', '1,234,567.89 EUR', '0.03 EUR'],
    ['KWD', '123,456.789 KWD', '0.003 KWD'],
  ] as const)
    it(`prints amounts with the decimals of ${currency}`, () => {
      expect(formatReport(shown(currency, [1, 2])))
        .to.match(new RegExp(`^Sales +${sales} `, 'm'))
        .and.match(new RegExp(`^Pending +${pending} `, 'm'));
    });

  it('prints a single month, fits 80 columns, and replaces control characters in names', () => {
    const text = formatReport(shown('EUR', [7]));
    expect(text)
      .to.match(/^Sales {3}██ {2}0\.07 EUR in each$/m)
      .and.include('37.5 %')
      .and.include('?[2Jann');
    for (const line of text.split('\n')) expect(line.length, line).to.be.below(81);
  });
});

describe('the balances of affiliate report', () => {
  it('are shown with what they consist of, and the lines add up', () => {
    expect(formatReport(shown('EUR', [1]))).to.include(
      [
        'What the balances consist of',
        'Commission of orders                 0.04 EUR',
        'Multi-level shares                   0.02 EUR',
        'Orders that await payment            0.01 EUR',
        'Borne by the store after hand-overs  0.01 EUR',
        'Bonuses and corrections              0.03 EUR',
        'Unpaid, pending and paid             0.11 EUR',
      ].join('\n'),
    );
  });
});

describe('charts', () => {
  it('scale sparklines to the maximum, and draw only zero as zero', () => {
    expect(formatSparkline([0, 1, 500, 1000], blockSymbols)).to.equal('▁▁▂▂▅▅██');
    expect(formatSparkline([0, 1, 500, 1000], asciiSymbols)).to.equal('__..==##');
    expect(formatSparkline([0, 0], blockSymbols)).to.equal('▁▁▁▁');
    expect(formatSparkline([-5, 5], blockSymbols)).to.equal('▁▁██');
  });

  it('scale bars to the maximum', () => {
    expect([
      formatBar(10, 10, blockSymbols, 4),
      formatBar(5, 10, blockSymbols, 4),
      formatBar(1, 1000, blockSymbols, 4),
      formatBar(0, 10, blockSymbols, 4),
    ]).to.deep.equal(['████', '██', '▏', '']);
    expect([formatBar(10, 10, asciiSymbols, 4), formatBar(1, 1000, asciiSymbols, 4), formatBar(0, 0, asciiSymbols, 4)]).to.deep.equal([
      '####',
      '#',
      '',
    ]);
  });
});
