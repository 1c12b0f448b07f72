import { counter, type Family, gauge, type Sample } from './family.ts';
import { Tally } from './tally.ts';

/** In seconds. Most answers take less than the second, and a load balancer waits no longer than the last. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Whatever else a caller makes up is `other`: the labels are ours, not the caller's. */
const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'other'] as const;
const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** All that is counted of one operation, in places that are found without looking for a name. */
class Cell {
  readonly byMethodAndClass = new Float64Array(methods.length * classes.length);
  readonly byDuration = new Float64Array(bounds.length + 1);
  seconds = 0;
}

/** What is looked at of a request that is over. */
interface Answered {
  method: string;
  status: number;
  body: unknown;
  state: { isApi: boolean; operation?: { operationId: string } | undefined };
}

/** Counts what every request came to. It stands in the way of each, so it takes well below a microsecond. */
export class RequestMeter {
  readonly #cells = new Map<string, Cell>();
  readonly #refusals = new Tally<'code'>('affiliate_http_refusals_total', 'Requests that were answered with an error, by its code.');
  #inFlight = 0;
  #shed = 0;

  began(): void {
    this.#inFlight += 1;
  }

  /** Requests were turned away because there is too much to do, before they came this far. */
  shed(count = 1): void {
    this.#shed += count;
  }

  ended(ctx: Answered, milliseconds: number): void {
    this.#inFlight -= 1;
    const cell = this.#cellOf(ctx.state.operation?.operationId ?? (ctx.state.isApi ? 'none' : 'page'));
    const method = methods.indexOf(ctx.method as (typeof methods)[number]);
    const place = (method === -1 ? methods.length - 1 : method) * classes.length + Math.floor(ctx.status / 100) - 1;
    cell.byMethodAndClass[place] = (cell.byMethodAndClass[place] ?? 0) + 1;
    const seconds = milliseconds / 1000;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1;
    cell.byDuration[bucket] = (cell.byDuration[bucket] ?? 0) + 1;
    cell.seconds += seconds;
    if (ctx.status >= 400) this.#refused(ctx.body);
  }

  families(): Family[] {
    const cells = [...this.#cells];
    return [
      counter(
        {
          name: 'affiliate_http_requests_total',
          help: 'Requests that were answered, by operation; none: an unknown path, page: outside the API.',
        },
        cells.flatMap(([operation, cell]) => requestsOf(operation, cell)),
      ),
      {
        name: 'affiliate_http_request_duration_seconds',
        help: 'How long requests took, by operation.',
        type: 'histogram',
        across: 'all together',
        samples: cells.flatMap(([operation, cell]) => durationsOf(operation, cell)),
      },
      gauge({ name: 'affiliate_http_requests_in_flight', help: 'Requests that are being answered.' }, this.#inFlight),
      counter({ name: 'affiliate_http_shed_total', help: 'Requests that were turned away because there was too much to do.' }, [
        { labels: {}, value: this.#shed },
      ]),
      this.#refusals.family(),
    ];
  }

  #cellOf(operation: string): Cell {
    const known = this.#cells.get(operation);
    if (known) return known;
    const made = new Cell();
    this.#cells.set(operation, made);
    return made;
  }

  /** Only the service's own answers have a code, and there is a table of those. */
  #refused(body: unknown): void {
    const { code = 'none' } = ((typeof body === 'object' ? body : null) as { code?: string }) ?? {};
    if (code === 'svc_api_overloaded') this.#shed += 1;
    this.#refusals.add({ code });
  }
}

const requestsOf = (operation: string, { byMethodAndClass }: Cell): Sample[] =>
  [...byMethodAndClass].flatMap((value, place) => {
    const method = methods[Math.floor(place / classes.length)] ?? 'other';
    const status = classes[place % classes.length] ?? '5xx';
    return value === 0 ? [] : [{ labels: { operation, method, status }, value }];
  });

function durationsOf(operation: string, { byDuration, seconds }: Cell): Sample[] {
  let count = 0;
  const buckets = [...byDuration].map((value, place): Sample => {
    count += value;
    return { part: '_bucket', labels: { operation, le: String(bounds[place] ?? '+Inf') }, value: count };
  });
  return [...buckets, { part: '_sum', labels: { operation }, value: seconds }, { part: '_count', labels: { operation }, value: count }];
}
