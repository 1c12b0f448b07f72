import { expect } from 'chai';
import type { RequestContext } from '../../server/http/request-context.ts';
import { remainsOf, together } from '../../server/metrics/aggregate.ts';
import { counter, type Family, gauge, ofThisProcess } from '../../server/metrics/family.ts';
import { RequestMeter } from '../../server/metrics/requests.ts';
import { textOf } from '../../server/metrics/text.ts';
import { scraped, valueIn } from './exposition.ts';

const request = (method: string, status: number, operationId?: string, body: unknown = '{}'): RequestContext =>
  ({ method, status, body, state: { isApi: true, ...(operationId && { operation: { operationId } }) } }) as unknown as RequestContext;

const answered = (meter: RequestMeter, ctx: RequestContext, milliseconds: number): void => {
  meter.began();
  meter.ended(ctx, milliseconds);
};

describe('the text of metrics', () => {
  it('escapes what would end a line or a label', () => {
    const text = textOf([gauge({ name: 'a', help: 'one\ntwo \\ three' }, 1, { why: 'a "quoted"\nback\\slash' })]);
    expect(text).to.equal('# HELP a one\\ntwo \\\\ three\n# TYPE a gauge\na{why="a \\"quoted\\"\\nback\\\\slash"} 1\n');
    expect(() => scraped(text)).not.to.throw();
  });

  it('leaves out what has nothing to tell', () => {
    expect(textOf([counter({ name: 'a_total', help: 'a' }, [])])).to.equal('');
  });

  it('is refused by the reader of these tests when it is wrong', () => {
    const good = '# HELP a a\n# TYPE a gauge\na 1\n';
    const wrong = [good.slice(0, -1), good + good, good.replace('gauge', 'size'), good.replace('a 1', 'a one'), good.replace('a 1', 'b 1')];
    const histogram = (buckets: string, count: number): string => `# HELP h h\n# TYPE h histogram\n${buckets}h_sum 1\nh_count ${count}\n`;
    const falling = histogram('h_bucket{le="1"} 3\nh_bucket{le="+Inf"} 2\n', 2);
    const open = histogram('h_bucket{le="1"} 2\n', 2);
    const miscounted = histogram('h_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\n', 3);
    for (const text of [...wrong, falling, open, miscounted, '# HELP a a\n# TYPE a counter\na 1\n', 'a 1\n'])
      expect(() => scraped(text), text).to.throw();
  });
});

describe('what is counted of requests', () => {
  it('stands under the operation, its method and the class of its status, and its time in every bucket that it fits', () => {
    const meter = new RequestMeter();
    for (const milliseconds of [0.5, 1, 7, 20_000]) answered(meter, request('GET', 200, 'get_me'), milliseconds);
    const families = scraped(textOf(meter.families()));
    expect(valueIn(families, 'affiliate_http_requests_total', '{operation="get_me",method="GET",status="2xx"}')).to.equal(4);
    const within = (le: string) => valueIn(families, 'affiliate_http_request_duration_seconds', `_bucket{operation="get_me",le="${le}"}`);
    expect(['0.001', '0.005', '0.01', '10', '+Inf'].map(within)).to.deep.equal([2, 2, 3, 3, 4]);
    expect(valueIn(families, 'affiliate_http_request_duration_seconds', '_sum{operation="get_me"}')).to.be.closeTo(20.0085, 1e-9);
  });

  it('has no label that a caller could make up', () => {
    const meter = new RequestMeter();
    for (let turn = 0; turn < 500; turn += 1) answered(meter, request(`MADE${turn}`, 404, undefined, { code: 'rest_no_route' }), 1);
    const families = scraped(textOf(meter.families()));
    expect([...(families.get('affiliate_http_requests_total')?.samples ?? [])]).to.deep.equal([
      ['{operation="none",method="other",status="4xx"}', 500],
    ]);
    expect(valueIn(families, 'affiliate_http_refusals_total', '{code="rest_no_route"}')).to.equal(500);
  });

  it('tells how many are under way, and how many were turned away, here or before', () => {
    const meter = new RequestMeter();
    meter.began();
    meter.shed();
    answered(meter, request('GET', 503, 'get_me', { code: 'svc_api_overloaded' }), 1);
    const families = scraped(textOf(meter.families()));
    expect(valueIn(families, 'affiliate_http_requests_in_flight')).to.equal(1);
    expect(valueIn(families, 'affiliate_http_shed_total')).to.equal(2);
  });
});

describe('the metrics of several processes', () => {
  const told = (worker: string, requests: number, memory: number): { worker: string; families: Family[] } => ({
    worker,
    families: [
      counter({ name: 'requests_total', help: 'r' }, [{ labels: { code: 'a' }, value: requests }]),
      gauge({ name: 'in_flight', help: 'f' }, 1),
      ofThisProcess(gauge({ name: 'memory_bytes', help: 'm' }, memory)),
    ],
  });

  it('are added up where they count the same, and told of each where they do not', () => {
    const families = scraped(textOf(together([told('1', 3, 100), told('2', 4, 200)])));
    expect(valueIn(families, 'requests_total', '{code="a"}')).to.equal(7);
    expect(valueIn(families, 'in_flight')).to.equal(2);
    expect([...(families.get('memory_bytes')?.samples ?? [])]).to.deep.equal([
      ['{worker="1"}', 100],
      ['{worker="2"}', 200],
    ]);
  });

  it('keep what a process had counted after it has ended, and nothing of what it was', () => {
    const families = scraped(textOf(together([told('1', 3, 100), remainsOf(told('2', 4, 200))])));
    expect(valueIn(families, 'requests_total', '{code="a"}')).to.equal(7);
    expect(valueIn(families, 'in_flight')).to.equal(1);
    expect(families.get('memory_bytes')?.samples.size).to.equal(1);
  });
});
