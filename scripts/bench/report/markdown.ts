import type { Run } from '../figures.ts';
import { aimCells, aimHead, reachedIn } from './aims.ts';
import { type Cells, figureCells, figureHead, readingCells, readingHead } from './tables.ts';

const line = (cells: Cells): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const table = (head: Cells, rows: readonly Cells[]): string => [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

export function markdownOf(run: Run): string {
  const { date, machine, rounds, secondsPerRound, figures, readings } = run;
  return `# Benchmarks

Written by \`npm run bench\`. Absolute figures are of one machine; ratios carry over better.

![Requests per second of the service and of others that do the same job](bench.svg)

- **When and where:** ${date}; ${machine}.
- **How:** ${rounds} rounds of ${secondsPerRound} s for each target of a row, interleaved, medians; spread is half of what lies between the slowest and the fastest round. One server process. The import alone may use all cores: no load comes from any of them.
  The load comes over kept-alive connections without pipelining, 32 where nothing else is said, and stops at the first answer with an unexpected status.
- **The same job:** key authentication, rate limit, validation, ownership, one row, the same JSON, the same headers, one log line. Answers of the peers are compared with those of the service before each row.
- **The service** runs compiled, in production settings behind a proxy on the same machine, its limits raised, what it logs thrown away. SQLite commits are durable (synchronous = full), PostgreSQL's too.
- **Asked before or not:** the service keeps answers until anything is committed (on SQLite), and the peers keep none. The rows of one coupon, of \`/me\` and of \`/openapi\` ask for the same again, as clients do;
  "never asked before" and all other rows that read carry a number in the address that is new each time, so that every answer is worked out.
- **Invalid** is a row whose floor itself scatters by more than 10 %, because the machine did something else meanwhile, or that has fewer than three rounds.
- The data sets: 1 k, 100 k and 2 M orders with 100, 1,000 and 10,000 coupons, of which one holds half of all orders; about 2.5 events for each order.

## What was aimed for

On SQLite, one process.

${table(aimHead, reachedIn(run).map(aimCells))}

## Requests

${table(
  figureHead,
  figures.map((figure) => figureCells(figures, figure)),
)}

## Writing, starting, memory

${table(readingHead, readings.map(readingCells))}

Two processes share a machine with the load and with PostgreSQL here, so their figures say more about many cores than about two.

## Run it yourself

\`npm run bench\` takes up to an hour and, the first time, some minutes for the data sets (kept in \`data/bench\`) and for the peers (installed in \`scripts/bench/peers\`).
\`npm run bench -- --quick\` takes about a minute, \`npm run bench -- --row coupon --size 1k --engine sqlite\` measures one row, \`npm run bench -- --help\` names them all.
`;
}
