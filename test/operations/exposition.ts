/** A family as a scraper reads it. */
export interface Scraped {
  type: string;
  help: string;
  /** By suffix and labels, as they stand: `_bucket{le="+Inf"}`. */
  samples: Map<string, number>;
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const head = new RegExp(`^# (HELP|TYPE) (${name}) (.+)$`);
const line = new RegExp(`^(${name})(\\{${label}(?:,${label})*\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`);

/** Reads the text format as strictly as it is written down: what any scraper might stumble over is thrown. */
export function scraped(text: string): Map<string, Scraped> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  const families = new Map<string, Scraped>();
  let current: { name: string; family: Scraped } | undefined;
  for (const each of text.slice(0, -1).split('\n')) {
    const [, keyword, family = '', rest = ''] = head.exec(each) ?? [];
    if (keyword === 'HELP') current = opened(families, family, rest);
    else if (keyword === 'TYPE') typed(current, family, rest);
    else taken(current, each);
  }
  for (const [family, { type, samples }] of families) {
    if (samples.size === 0) throw new Error(`${family} has no samples.`);
    if (type === 'histogram') checkHistogram(family, samples);
    if (type === 'counter' && !family.endsWith('_total')) throw new Error(`The counter ${family} is not called so.`);
    if (type !== 'counter' && family.endsWith('_total')) throw new Error(`${family} is called a counter.`);
  }
  return families;
}

function opened(families: Map<string, Scraped>, family: string, help: string) {
  if (families.has(family)) throw new Error(`${family} comes twice.`);
  if (!/^(?:[^\\]|\\[\\n])*$/.test(help)) throw new Error(`The help of ${family} is not escaped.`);
  const made = { type: '', help, samples: new Map<string, number>() };
  families.set(family, made);
  return { name: family, family: made };
}

function typed(current: { name: string; family: Scraped } | undefined, family: string, type: string): void {
  if (current?.name !== family || current.family.type !== '') throw new Error(`The type of ${family} has no help before it.`);
  if (!['counter', 'gauge', 'histogram'].includes(type)) throw new Error(`${family} is a ${type}.`);
  current.family.type = type;
}

function taken(current: { name: string; family: Scraped } | undefined, each: string): void {
  const [, sampled = '', labels = '', value = ''] = line.exec(each) ?? [];
  if (!sampled) throw new Error(`This is no sample: ${each}`);
  if (!current || current.family.type === '') throw new Error(`Nobody said what this is: ${each}`);
  const suffix = sampled.slice(current.name.length);
  const suffixes = current.family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  if (!sampled.startsWith(current.name) || !suffixes.includes(suffix)) throw new Error(`${sampled} is no part of ${current.name}.`);
  if (current.family.samples.has(suffix + labels)) throw new Error(`This comes twice: ${each}`);
  current.family.samples.set(suffix + labels, Number(value));
}

/** Buckets grow, the last of them has everything, and that is the count. */
function checkHistogram(family: string, samples: ReadonlyMap<string, number>): void {
  const last = new Map<string, { le: number; value: number }>();
  for (const [key, value] of samples) {
    const [, bound] = /[{,]le="([^"]+)"/.exec(key) ?? [];
    if (!key.startsWith('_bucket')) continue;
    if (bound === undefined) throw new Error(`A bucket of ${family} has no bound.`);
    const of = key
      .slice('_bucket'.length)
      .replace(/,?le="[^"]+"/, '')
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

/** One number of a scrape; undefined where it is not told. */
export const valueIn = (families: Map<string, Scraped>, family: string, labels = ''): number | undefined =>
  families.get(family)?.samples.get(labels);

export async function scrape(url: string): Promise<Map<string, Scraped>> {
  const response = await fetch(url);
  if (response.status !== 200 || response.headers.get('content-type') !== 'text/plain; version=0.0.4; charset=utf-8')
    throw new Error(`${url} answers ${response.status} ${response.headers.get('content-type')}.`);
  return scraped(await response.text());
}
