import type { Run } from '../results.ts';
import { aimTable } from './aims.ts';
import { growthSection } from './growth.ts';
import { beforeTable, formatMarkdown, resultTable, summarise } from './tables.ts';

const method = `- **Slices:** the targets of a row are measured in turns of about 250 ms, at least 40 each, in alternating order (A B C, C B A). Slices are added until the row is valid, up to three times as many. Where a target takes seconds for each request, a row ends after 400 s, with at least ten slices.
  A slice during which the hypervisor gave more than a fifth of the cores to others (\`steal\` of \`/proc/stat\`) is measured again, since the operating system counts a part of the stolen time as that of the process. A row waits for its cores as long as \`--patience\` says; below a fifth, more slices make up for the noise.
  A slice has a number of requests that takes about 250 ms, over kept-alive connections without pipelining: 32, or 8 for click statistics, 16 for payouts, 1 where the row says so, and never more than requests, so a target that takes seconds for each has one or two at a time.
  It ends when the server is idle, so that what is committed or sent after a response counts too. Latencies are over all requests, also of slices that are measured again.
- **CPU** is the first figure: user and system time per request of all threads of the server's processes, read from the operating system before and after each slice. The source is \`/proc/<pid>/task/*/schedstat\`, in nanoseconds;
  \`/proc/<pid>/stat\` has ticks of 10 ms, which is too coarse for a slice. PostgreSQL's own processes have a line of their own. Other work on the machine changes the throughput, the second figure, far more than the CPU time.
- **service ÷ target** is the median over pairs: the slice of the service divided by that of the target in the same round. The brackets have the 95 % confidence interval of this median, from order statistics, and ± says how far it reaches.
  A cost that fewer than half of the slices have, such as a full garbage collection, does not show in a median.
- **Invalid** is a row in which one CPU interval (rebuild and block: of the wait, console: of the time) reaches further than ±10 %. Such rows are measured again after the run (\`--invalid\`), as a whole and whatever their figures are; valid rows are not. The intervals are those of one time: on another day a ratio can lie outside of them, by up to a fifth so far.
- **Aims** are reached when the whole interval of their figure does so, in a valid row; not decided when only the median does. Growth is counted in units of the floor, because the sizes are measured at different times, and has no interval; the charts show the CPU time as it is.
- **Other rows** (ingest, import, rebuild, start, ledger) have a process for each sample, block one for all; at least 10 samples of each target, interleaved in the same way. Without another target the interval of the median itself decides.
- **The console** is measured in chromium on the demo, from the navigation to the first chart, against \`/docs\` until it shows the contract: new windows with an empty cache, by the clock of the page.
- **The same job:** key authentication, rate limit, validation, ownership, the same JSON, the headers of pages and of the rate limit, one log line. Responses of the peers are compared with those of the service before each row that reads. Where orders are written, the peers do less: they have no ledger, no change feed and no totals. A request that fails or has an unexpected status fails the run.
- **The peers** read pages with \`count(*)\` and \`OFFSET\`, and sum and count rows for each statistic, report and poll, with the indexes of the service and one of clicks by day. On PostgreSQL they use named prepared statements, a pool,
  the caller of a key for half a second as the service does, and the rate limit of rate-limiter-flexible in the database, in an unlogged table as the service's. Four processes are those of \`node:cluster\`; the service starts them by \`WORKERS\`.
- **The service** runs compiled (ingest: from its sources, without HTTP), as \`npm start\` runs it, thus with a young generation of 32 MB (\`--max-semi-space-size\`), which the peers do not set; in production settings behind a proxy on the same machine, with raised limits; its log is discarded. Commits are durable on SQLite (synchronous = full) and on PostgreSQL. Server and load each have a core; the import, PostgreSQL and four processes may use all.
  All servers under load run with \`--no-memory-reducer\`: without it V8 collects garbage while a server is idle between its slices, and discards compiled code that a server under steady load keeps.
- **Cached or not:** the service caches responses until something is committed (on SQLite); the peers cache none. The rows of one coupon (but uncached), of 100 cached orders, of referral links, \`/me\` and \`/openapi\` repeat their requests, as clients do; in all other rows that read, a parameter makes each address new. All-time reports still have cached figures then, unless they are refreshed.
- **Data sets:** 1 k, 100 k and 2 M orders with 100, 1,000 and 10,000 coupons, of which one holds half of all orders; about 2.5 events and 2.5 clicks for each order. Their ledgers are sealed. The rows of the charts are measured at all sizes, the others at both ends or, where the number of orders does not matter, at 1 k; ingest, rebuild and ledger at 100 k, block at 2 M, four processes at 1 k, the console on SQLite.`;

const usage = `## Run it yourself

\`npm run bench\` takes about three hours; the first time it also creates the data sets, which are stored in \`data/bench\` or in the folder that \`BENCH_DATA\` names and used again, and installs the peers in \`scripts/bench/peers\`. It writes this page and its pictures.
A part of it (\`--row\`, \`--size\`, \`--engine\`) replaces the stored rows that it measures, so that a whole run can be done in parts: the first with \`--new\`, and \`--render\` at the end. \`--invalid\` measures the stored rows again that are not valid, after a restless hour of the machine say.
\`npm run bench -- --quick\` takes about a minute, \`npm run bench -- --row coupon --size 1k --engine sqlite\` measures one row, \`npm run bench -- --help\` lists them all.

\`npm run bench -- --against ../other-checkout\` also measures the compiled service of another checkout, in the same rounds, and lists the rows that became slower by more than 10 %.
`;

export const formatPage = (run: Run): string => `# Benchmarks

Written by \`npm run bench\`. Absolute figures are of one machine; ratios carry over better.

![CPU time per request of the service and of others that do the same job](bench.svg)

**When and where:** ${run.date}${run.commit === undefined ? '' : `, commit ${run.commit}`}; ${run.machine}. ${summarise(run)}

## How it is measured

${method}

## Aims

On SQLite unless the line says otherwise, one process, CPU time of the server; growth is in units of the floor and counts the CPU time of PostgreSQL too.

${formatMarkdown(aimTable(run))}

## Growth

CPU time per request from 1 k to 2 M orders, of one row of each family, the one that is measured at all sizes; the aims count all rows of a family. On PostgreSQL it includes the database's own processes; on SQLite the server is the database.

${growthSection(run)}

## Results

All samples are in [bench-samples.ndjson](bench-samples.ndjson): a line for each target of each row, with one value for each round.

${formatMarkdown(resultTable(run.series))}

Four processes share the machine with the load and with PostgreSQL here, so their throughput says more about many cores than about few.
${run.before === undefined ? '' : `\n## Against ${run.before}\n\n${formatMarkdown(beforeTable(run.series))}\n`}
${usage}`;
