import type { Run } from '../figures.ts';
import { divided, Lookup, largest, smallest } from './lookup.ts';
import { aligned, type Cells, decimals } from './tables.ts';

// What the project set out for, and what this run has reached. Ratios, because they carry over from one machine to another.

export interface Reached {
  what: string;
  atLeast: number;
  aim: number;
  /** Undefined where this run has not measured it. */
  value: number | undefined;
  /** Whether more is better. */
  isMore: boolean;
  unit: string;
  /** The floor was not steady, so it means little. */
  isDoubtful: boolean;
}

const orderPages = ['orders', 'orders-middle', 'orders-last', 'orders-range', 'orders-range-last'];

type Aim = [what: string, atLeast: number, aim: number, isMore: boolean, unit: string, value: (look: Lookup) => number | undefined];

const aims: readonly Aim[] = [
  ['one coupon, 32 connections: of the floor', 0.45, 0.6, true, '', (look) => look.ofFloor('coupon')],
  ['… against Fastify, 32 connections', 1.1, 1.4, true, ' ×', (look) => divided(look.speed('coupon'), look.speed('coupon', 'fastify'))],
  [
    '… against Fastify, 1 connection',
    1.1,
    1.4,
    true,
    ' ×',
    (look) => divided(look.speed('coupon-alone'), look.speed('coupon-alone', 'fastify')),
  ],
  [
    '… against Express + express-openapi-validator + TypeORM',
    8,
    11,
    true,
    ' ×',
    (look) => divided(look.speed('coupon'), look.speed('coupon', 'express')),
  ],
  ['page of 100 orders of 2 M, the slowest, against Fastify with count/OFFSET: throughput', 1.3, 1.8, true, ' ×', pageThroughput],
  ['… the same, p99', 0.5, 0.1, false, ' ×', pageTail],
  [
    'worst page of 2 M orders against the first of 1 k, p99',
    4,
    2,
    false,
    ' ×',
    (look) => divided(largest(orderPages.map((row) => look.p99(row, 'service', '2m'))), look.p99('orders')),
  ],
  ['coupon statistics, all-time, at 2 M against 1 k orders', 2, 1.1, false, ' ×', (look) => look.growth('stats')],
  ['affiliate statistics, all-time, at 2 M against 1 k orders', 2, 1.1, false, ' ×', (look) => look.growth('affiliate-stats')],
  ['report, all-time, worked out anew, at 2 M against 1 k orders', 2, 1.1, false, ' ×', (look) => look.growth('report-fresh')],
  ['feed poll at 5 M events against 2.5 k, totals included', 1.5, 1.2, false, ' ×', (look) => look.growth('feed')],
  [
    'order ingest, durable, against a plain TypeORM transaction per order',
    4,
    13,
    true,
    ' ×',
    (look) => divided(look.reading('ingest'), look.reading('ingest', 'typeorm')),
  ],
  ['import, orders per second', 10_000, 30_000, true, '', (look) => look.reading('import')],
  ['longest wait while a coupon of 100 k orders is rebuilt', 20, 5, false, ' ms', (look) => look.reading('rebuild')],
  ['idle memory', 130, 105, false, ' MB', (look) => look.reading('memory-idle')],
  ['start to listening', 1200, 800, false, ' ms', (look) => look.reading('start')],
];

/** Over all pages together: each of them is as likely to be asked for. */
function pageThroughput(look: Lookup): number | undefined {
  return smallest(orderPages.map((row) => divided(look.speed(row, 'service', '2m'), look.speed(row, 'fastify-offset', '2m'))));
}

function pageTail(look: Lookup): number | undefined {
  return largest(orderPages.map((row) => divided(look.p99(row, 'service', '2m'), look.p99(row, 'fastify-offset', '2m'))));
}

export const reachedIn = (run: Run): Reached[] =>
  aims.map(([what, atLeast, aim, isMore, unit, value]) => {
    const look = new Lookup(run);
    return { what, atLeast, aim, isMore, unit, value: value(look), isDoubtful: look.isDoubtful };
  });

const amount = (value: number, unit: string): string => `${value >= 100 ? Math.round(value).toLocaleString('en') : decimals(value)}${unit}`;

export function verdict({ value, atLeast, aim, isMore, isDoubtful }: Reached): string {
  if (value === undefined || !Number.isFinite(value)) return 'not measured';
  const isWithin = (bound: number): boolean => (isMore ? value >= bound : value <= bound);
  const said = isWithin(aim) ? 'aim reached' : isWithin(atLeast) ? 'reached' : 'missed';
  return isDoubtful ? `${said} (invalid)` : said;
}

export const aimHead: Cells = ['what', 'at least', 'aim', 'this run', ''];

export const aimCells = (reached: Reached): Cells => {
  const { what, atLeast, aim, isMore, unit, value } = reached;
  const bound = (limit: number): string => `${isMore ? '' : '≤ '}${amount(limit, unit)}`;
  return [what, bound(atLeast), bound(aim), value === undefined ? '–' : amount(value, unit), verdict(reached)];
};

/** What this run says about the aims; empty where it says nothing. */
export function aimTable(run: Run): string {
  const measured = reachedIn(run).filter(({ value }) => value !== undefined);
  return measured.length === 0 ? '' : aligned([aimHead, ...measured.map(aimCells)]);
}
