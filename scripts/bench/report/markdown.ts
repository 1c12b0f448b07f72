import { mainMetric, type Run } from '../results.ts';
import { aimTable } from './aims.ts';
import { beforeTable, formatMarkdown, otherTable, requestTable, summarise } from './tables.ts';

/** How it is measured. Also the page of a checkout that has no figures yet. */
export const method = `- **Slices:** the targets of a row are measured in turns of about 250 ms, at least 40 each, in an order that alternates (A B C, C B A). Slices are added, up to twice as many, until the row is valid.
  A slice has a number of requests that takes about 250 ms, over kept-alive connections without pipelining (32 unless the row says otherwise), and ends with the last response.
- **CPU per request** is the first figure: user and system time of all threads of the server's processes, read from the operating system before and after each slice (\`/proc/<pid>/task/*/schedstat\`, in nanoseconds; \`/proc/<pid>/stat\` has ticks of 10 ms).
  PostgreSQL's own processes do not count. A machine that runs something else lowers the throughput, the second figure, but hardly changes the CPU time.
- **Ratios** are medians over pairs: the slice of the service divided by that of the other target in the same round. The brackets have the 95 % confidence interval of the median (order statistics), ±% how far it reaches.
  Costs that few slices have, such as a full garbage collection, do not show in medians.
- **Invalid** is a row in which the interval of one CPU ratio reaches further than ±10 %.
- **Other rows** (import, ingest, rebuild, start) have a process for each sample, at least 10 of each target, interleaved in the same way. Where there is no other target, the interval of the median itself decides.
- **The same job:** key authentication, rate limit, validation, ownership, one row, the same JSON, the same headers, one log line. Responses of the peers are compared with those of the service before each row; a request that fails or has an unexpected status fails the run.
- **The service** runs compiled, as \`npm start\` runs it, in production settings behind a proxy on the same machine, with raised limits and its log discarded. Commits are durable on SQLite (synchronous = full) and on PostgreSQL. Server and load each have a core; the import may use all.
- **Cached or not:** the service caches responses until something is committed (on SQLite); the peers cache none. The rows of one coupon, of \`/me\` and of \`/openapi\` repeat their requests, as clients do;
  "uncached" and all other rows that read have a number in the address that is new each time.
- **Data sets:** 1 k, 100 k and 2 M orders with 100, 1,000 and 10,000 coupons, of which one holds half of all orders; about 2.5 events for each order.`;

const usage = `## Run it yourself

\`npm run bench\` takes about an hour and, the first time, some minutes for the data sets (stored in \`data/bench\`) and for the peers (installed in \`scripts/bench/peers\`). It writes this page and \`bench.svg\`.
\`npm run bench -- --quick\` takes about a minute, \`npm run bench -- --row coupon --size 1k --engine sqlite\` measures one row, \`npm run bench -- --help\` lists them all.

\`npm run bench -- --against ../other-checkout\` measures the compiled service of another checkout beside this one, in the same rounds, and lists the rows that became slower by more than 10 %.
`;

export function formatPage(run: Run): string {
  const { date, machine, before, series } = run;
  const slices = series.filter((each) => mainMetric(each) === 'cpuMicros').length;
  return `# Benchmarks

Written by \`npm run bench\`. Absolute figures are of one machine; ratios carry over better.

![CPU time per request of the service and of others that do the same job](bench.svg)

**When and where:** ${date}; ${machine}. ${summarise(run).split('\n')[0]} ${slices === 0 ? 'This system does not report CPU times.' : ''}

## How it is measured

${method}

## Aims

On SQLite, one process; CPU time unless the line says otherwise.

${formatMarkdown(aimTable(run))}

## Requests

${formatMarkdown(requestTable(series))}

Two processes share the machine with the load and with PostgreSQL here, so their throughput says more about many cores than about two.

## Writing, starting, memory

${formatMarkdown(otherTable(series))}
${before ? `\n## Against ${before}\n\n${formatMarkdown(beforeTable(series))}\n` : ''}
${usage}`;
}
