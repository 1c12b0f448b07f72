import { expect } from 'chai';
import { connection, FilledProgram } from '../contract/filled-program.ts';
import { theContract } from '../support/contract.ts';
import { onAnyEngine } from '../support/engines.ts';

const idsOf: Record<string, number | string> = { affiliates: 42, coupons: 301, payouts: 501, webhooks: 5, store: connection.id };

/** The paths of all GET operations with this parameter, in the program of the tests. */
const pathsWith = async (parameter: string, program: FilledProgram): Promise<string[]> =>
  (await theContract()).operations
    .filter(({ method, parameters }) => method === 'get' && parameters.some(({ name }) => name === parameter))
    .map(({ path }) => program.own(path.replace('{id}', String(idsOf[path.split('/')[1] ?? '']))));

onAnyEngine((engine) => {
  describe('pages and ranges of days', () => {
    let program: FilledProgram;
    before(async () => {
      program = await FilledProgram.open(engine);
    });
    after(() => program.close());

    it('GET of every collection answers an empty page with its totals for every page past the end, up to 2^53-1', async () => {
      const paths = await pathsWith('page', program);
      expect(paths).to.include.members(['/affiliates', '/coupons/301/orders', '/payouts', '/events', '/webhooks/events']);
      for (const path of paths) {
        const totals = ({ headers }: { headers: Headers }) => ['X-Svc-Total', 'X-Svc-TotalPages'].map((name) => headers.get(name));
        const first = await program.admin.get(path);
        expect(first.body, path).not.to.deep.equal([]);
        for (const page of [3_000_000_000, Number.MAX_SAFE_INTEGER]) {
          const past = await program.admin.get(`${path}?per_page=100&page=${page}`);
          expect([past.status, past.body, totals(past)[0]], `${path} ${page}`).to.deep.equal([200, [], totals(first)[0]]);
          expect(totals(past)[1], path).to.equal(String(Math.ceil(Number(totals(past)[0]) / 100)));
        }
      }
    });

    it('GET with a from in the future and no to answers an empty range', async () => {
      const paths = await pathsWith('from', program);
      expect(paths).to.include.members(['/affiliates/42/stats', '/coupons/301/stats', '/clicks/stats', '/reports/summary', '/payouts']);
      for (const path of paths) {
        const { status, body, headers } = await program.admin.get(`${path}?from=2027-01-01&interval=day`);
        expect(status, path).to.equal(200);
        if (Array.isArray(body)) expect([body, headers.get('X-Svc-Total')], path).to.deep.equal([[], '0']);
        else {
          expect([body.from, body.to, body.series ?? []], path).to.deep.equal(['2027-01-01', '2026-11-15', []]);
          const { orders_count, total_sales } = body.totals ?? body;
          expect([orders_count ?? 0, total_sales ?? 0, body.clicks?.clicks ?? body.clicks ?? 0], path).to.deep.equal([0, 0, 0]);
        }
      }
    });
  });
});
