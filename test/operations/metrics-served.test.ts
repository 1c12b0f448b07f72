import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { expectCommandError, Machine } from '../cli/machine.ts';
import { type RunningService, startService, waitUntil } from '../cli/running-service.ts';
import { makePostgres } from '../support/postgres.ts';
import { scrape, valueIn } from './exposition.ts';

const stop = async ({ child, ended }: RunningService): Promise<number | null> => {
  child.kill('SIGTERM');
  return (await ended).code;
};

/** The URL of the metrics is in the service's log. */
async function serveWithMetrics(
  machine: Machine,
  variables: Record<string, string> = {},
): Promise<{ service: RunningService; metrics: string }> {
  const service = await startService(machine, { METRICS_PORT: '0', LOG_LEVEL: 'info', ...variables });
  const url = (): string | undefined => /"url":"([^"]+\/metrics)"/.exec(service.log())?.[1];
  await waitUntil(10_000, async () => url() !== undefined);
  return { service, metrics: url() ?? '' };
}

describe('METRICS_PORT', () => {
  it('serves /metrics on a port of its own, and nothing of it on the public one', async () => {
    const { service, metrics } = await serveWithMetrics(new Machine());
    for (let index = 0; index < 3; index += 1) await fetch(`${service.url}/api/v2/me`);
    const scraped = await scrape(metrics);
    expect(valueIn(scraped, 'affiliate_http_requests_total', '{operation="get_me",method="GET",status="4xx"}')).to.equal(3);
    expect(valueIn(scraped, 'affiliate_database_up')).to.equal(1);
    expect([...(scraped.get('affiliate_build_info')?.samples.keys() ?? [])][0]).to.match(
      /^\{version="[\d.]+",node="v\d+.*",engine="sqlite"\}$/,
    );
    for (const name of [
      'process_cpu_seconds_total',
      'process_start_time_seconds',
      'nodejs_heap_size_used_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(valueIn(scraped, name), name).to.be.at.least(0);
    const elsewhere = [`${service.url}/metrics`, metrics.replace('/metrics', '/'), metrics.replace('/metrics', '/api/v2/me')];
    expect(await Promise.all(elsewhere.map(async (url) => (await fetch(url)).status))).to.deep.equal([404, 404, 404]);
    expect(await stop(service)).to.equal(0);
  });

  it('stops the start with one sentence when the port is in use', async () => {
    const occupied = createServer().listen(0, '127.0.0.1');
    await once(occupied, 'listening');
    const { port } = occupied.address() as AddressInfo;
    const outcome = await new Machine().run(['serve'], { PORT: '0', METRICS_PORT: String(port), LOG_LEVEL: 'silent' });
    occupied.close();
    expectCommandError(outcome, `METRICS_PORT ${port} is in use on 127.0.0.1. Set METRICS_PORT to another one.`);
  });

  it('serves the metrics of all worker processes, with counters that never fall when a worker is killed', async () => {
    const { service, metrics } = await serveWithMetrics(new Machine({ DATABASE_URL: await makePostgres() }), { WORKERS: '2' });
    const call = async (times: number): Promise<void> => {
      for (let index = 0; index < times; index += 1) await fetch(`${service.url}/healthz`, { headers: { Connection: 'close' } });
    };
    const answered = async (): Promise<number> =>
      valueIn(await scrape(metrics), 'affiliate_http_requests_total', '{operation="page",method="GET",status="2xx"}') ?? 0;
    await call(10);
    expect(await answered()).to.equal(10);
    const scraped = await scrape(metrics);
    expect([...(scraped.get('process_resident_memory_bytes')?.samples.keys() ?? [])].toSorted()).to.deep.equal([
      '{worker="1"}',
      '{worker="2"}',
      '{worker="primary"}',
    ]);
    expect(valueIn(scraped, 'affiliate_feed_last_event_id')).to.equal(0);

    process.kill(await findWorkerPid(service), 'SIGKILL');
    await waitUntil(20_000, async () => (await scrape(metrics)).get('process_resident_memory_bytes')?.samples.has('{worker="3"}') === true);
    expect(await answered()).to.equal(10);
    await call(4);
    expect(await answered()).to.equal(14);
    expect(await stop(service)).to.equal(0);
  });
});

async function findWorkerPid({ child }: RunningService): Promise<number> {
  const { readFileSync } = await import('node:fs');
  const [first = ''] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
  return Number(first);
}
