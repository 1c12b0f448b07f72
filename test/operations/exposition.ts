/** One metric as a scraper reads it. */
export interface ScrapedMetric {
  type: string;
  help: string;
  /** By suffix and labels as written: `_bucket{le="+Inf"}`. */
  samples: Map<string, number>;
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const head = new RegExp(`^# (HELP|TYPE) (${name}) (.+)$`);
const line = new RegExp(`^(${name})(\\{${label}(?:,${label})*\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|NaN|Nan)$`);

/** Parses the text format strictly: throws for anything that a scraper could stumble over. */
export function parseExposition(text: string): Map<string, ScrapedMetric> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  const metrics = new Map<string, ScrapedMetric>();
  let current: { name: string; metric: ScrapedMetric } | undefined;
  for (const each of text.split('\n').filter((written) => written !== '')) {
    const [, keyword, metric = '', rest = ''] = head.exec(each) ?? [];
    if (keyword === 'HELP') current = addMetric(metrics, metric, rest);
    else if (keyword === 'TYPE') setType(current, metric, rest);
    else addSample(current, each);
  }
  for (const [metric, { type, samples }] of metrics) {
    if (type === 'histogram') checkHistogram(metric, samples);
    if (type === 'counter' && !metric.endsWith('_total')) throw new Error(`The counter ${metric} does not end in _total.`);
    // prom-client itself has gauges such as nodejs_active_handles_total.
    if (type !== 'counter' && /^affiliate_.*_total$/.test(metric)) throw new Error(`${metric} has the name of a counter.`);
  }
  return metrics;
}

function addMetric(metrics: Map<string, ScrapedMetric>, name: string, help: string) {
  if (metrics.has(name)) throw new Error(`${name} is there twice.`);
  if (!/^(?:[^\\]|\\[\\n])*$/.test(help)) throw new Error(`The help of ${name} is not escaped.`);
  const metric = { type: '', help, samples: new Map<string, number>() };
  metrics.set(name, metric);
  return { name, metric };
}

function setType(current: { name: string; metric: ScrapedMetric } | undefined, name: string, type: string): void {
  if (current?.name !== name || current.metric.type !== '') throw new Error(`The type of ${name} has no help before it.`);
  if (!['counter', 'gauge', 'histogram'].includes(type)) throw new Error(`${name} is a ${type}.`);
  current.metric.type = type;
}

function addSample(current: { name: string; metric: ScrapedMetric } | undefined, each: string): void {
  const [, sampled = '', labels = '', value = ''] = line.exec(each) ?? [];
  if (!sampled) throw new Error(`This is no sample: ${each}`);
  if (!current || current.metric.type === '') throw new Error(`This sample has no type: ${each}`);
  const suffix = sampled.slice(current.name.length);
  const suffixes = current.metric.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  if (!sampled.startsWith(current.name) || !suffixes.includes(suffix)) throw new Error(`${sampled} is no part of ${current.name}.`);
  if (current.metric.samples.has(suffix + labels)) throw new Error(`This sample is there twice: ${each}`);
  current.metric.samples.set(suffix + labels, Number(value));
}

/** Buckets must not decrease, and the last one must equal the count. */
function checkHistogram(family: string, samples: ReadonlyMap<string, number>): void {
  const last = new Map<string, { le: number; value: number }>();
  for (const [key, value] of samples) {
    const [, bound] = /[{,]le="([^"]+)"/.exec(key) ?? [];
    if (!key.startsWith('_bucket')) continue;
    if (bound === undefined) throw new Error(`A bucket of ${family} has no bound.`);
    const of = key
      .slice('_bucket'.length)
      .replace(/,le="[^"]+"|le="[^"]+",?/, '')
      .replace('{}', '');
    const before = last.get(of) ?? { le: -1, value: 0 };
    const le = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
    if (!(le > before.le) || value < before.value) throw new Error(`The buckets of ${family}${of} do not grow.`);
    last.set(of, { le, value });
  }
  for (const [of, { le, value }] of last)
    if (le !== Number.POSITIVE_INFINITY || samples.get(`_count${of}`) !== value || !samples.has(`_sum${of}`))
      throw new Error(`The last bucket of ${family}${of} is not its count.`);
}

/** One sample of a scrape; undefined where there is none. */
export const valueIn = (metrics: Map<string, ScrapedMetric>, metric: string, labels = ''): number | undefined =>
  metrics.get(metric)?.samples.get(labels);

export async function scrape(url: string): Promise<Map<string, ScrapedMetric>> {
  const response = await fetch(url);
  if (response.status !== 200 || response.headers.get('content-type') !== 'text/plain; version=0.0.4; charset=utf-8')
    throw new Error(`${url} answers ${response.status} ${response.headers.get('content-type')}.`);
  return parseExposition(await response.text());
}
