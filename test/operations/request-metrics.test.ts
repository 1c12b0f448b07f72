import { expect } from 'chai';
import type { RequestContext } from '../../server/http/request-context.ts';
import { addEnded } from '../../server/metrics/cluster-metrics.ts';
import { formatSnapshots, Metrics } from '../../server/metrics/metrics.ts';
import { parseExposition, type ScrapedMetric, valueIn } from './exposition.ts';

const request = (method: string, status: number, operationId?: string, body: unknown = '{}'): RequestContext =>
  ({ method, status, body, state: { isApi: true, ...(operationId && { operation: { operationId } }) } }) as unknown as RequestContext;

const record = ({ requests }: Metrics, ctx: RequestContext, milliseconds: number): void => {
  requests.recordStart();
  requests.recordEnd(ctx, milliseconds);
};

const scrapeOf = async (metrics: Metrics): Promise<Map<string, ScrapedMetric>> =>
  parseExposition(await formatSnapshots([await metrics.snapshot({ withBacklog: false })]));

describe('request metrics', () => {
  it('count a request by operation, method and status class, and its duration in every bucket that is large enough', async () => {
    const metrics = new Metrics();
    for (const milliseconds of [0.5, 1, 7, 20_000]) record(metrics, request('GET', 200, 'get_me'), milliseconds);
    const scraped = await scrapeOf(metrics);
    expect(valueIn(scraped, 'affiliate_http_requests_total', '{operation="get_me",method="GET",status="2xx"}')).to.equal(4);
    const within = (le: string) => valueIn(scraped, 'affiliate_http_request_duration_seconds', `_bucket{operation="get_me",le="${le}"}`);
    expect(['0.001', '0.005', '0.01', '10', '+Inf'].map(within)).to.deep.equal([2, 2, 3, 3, 4]);
    expect(valueIn(scraped, 'affiliate_http_request_duration_seconds', '_sum{operation="get_me"}')).to.be.closeTo(20.0085, 1e-9);
  });

  it('have no label value that a caller could choose', async () => {
    const metrics = new Metrics();
    for (let index = 0; index < 500; index += 1) record(metrics, request(`MADE${index}`, 404, undefined, { code: 'rest_no_route' }), 1);
    const scraped = await scrapeOf(metrics);
    expect([...(scraped.get('affiliate_http_requests_total')?.samples ?? [])]).to.deep.equal([
      ['{operation="none",method="other",status="4xx"}', 500],
    ]);
    expect(valueIn(scraped, 'affiliate_http_refusals_total', '{code="rest_no_route"}')).to.equal(500);
  });

  it('show the requests in flight, and the requests shed before or inside the pipeline', async () => {
    const metrics = new Metrics();
    metrics.requests.recordStart();
    metrics.requests.recordShed();
    record(metrics, request('GET', 503, 'get_me', { code: 'svc_api_overloaded' }), 1);
    const scraped = await scrapeOf(metrics);
    expect(valueIn(scraped, 'affiliate_http_requests_in_flight')).to.equal(1);
    expect(valueIn(scraped, 'affiliate_http_shed_total')).to.equal(2);
  });
});

describe('metrics of several processes', () => {
  /** A process with one request in flight and `answered` answered ones. */
  const processWith = async (worker: string, answered: number) => {
    const metrics = new Metrics(worker);
    metrics.requests.recordStart();
    for (let index = 0; index < answered; index += 1) record(metrics, request('GET', 200, 'get_me'), 1);
    return metrics.snapshot({ withBacklog: false });
  };
  const answeredIn = (scraped: Map<string, ScrapedMetric>) =>
    valueIn(scraped, 'affiliate_http_requests_total', '{operation="get_me",method="GET",status="2xx"}');
  const workersIn = (scraped: Map<string, ScrapedMetric>) => [...(scraped.get('process_resident_memory_bytes')?.samples.keys() ?? [])];

  it('are summed for the service and shown for each process by its label', async () => {
    const scraped = parseExposition(await formatSnapshots([await processWith('1', 3), await processWith('2', 4)]));
    expect(answeredIn(scraped)).to.equal(7);
    expect(valueIn(scraped, 'affiliate_http_request_duration_seconds', '_bucket{operation="get_me",le="0.001"}')).to.equal(7);
    expect(valueIn(scraped, 'affiliate_http_requests_in_flight')).to.equal(2);
    expect(workersIn(scraped)).to.deep.equal(['{worker="1"}', '{worker="2"}']);
    expect(scraped.get('process_start_time_seconds')?.samples.size).to.equal(2);
  });

  it('keep the counters of a process that has ended, and drop its gauges and memory', async () => {
    const ended = addEnded(addEnded([], await processWith('2', 4)), await processWith('3', 5));
    const scraped = parseExposition(await formatSnapshots([await processWith('1', 3), { service: ended, process: [] }]));
    expect(answeredIn(scraped)).to.equal(12);
    expect(valueIn(scraped, 'affiliate_http_request_duration_seconds', '_count{operation="get_me"}')).to.equal(12);
    expect(valueIn(scraped, 'affiliate_http_requests_in_flight')).to.equal(1);
    expect(workersIn(scraped)).to.deep.equal(['{worker="1"}']);
  });
});
