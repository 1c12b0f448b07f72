import type { DayRange } from '../dates.ts';
import { ApiError } from '../errors.ts';
import { type DayFigures, type Figures, sumFigures } from './figures.ts';

export type Interval = 'day' | 'week' | 'month';

/** The first and the last day of a step. */
export interface IntervalStep {
  from: string;
  to: string;
}

/** Ten years of days. Bounds the response: the year 0001 would give hundreds of thousands of steps. */
const mostSteps = 3660;

const dayLength = 86_400_000;
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayLength;
const dayAt = (number: number): string => new Date(number * dayLength).toISOString().slice(0, 10);

/** The first day after the step that a day is in. Day 0, 1970-01-01, was a Thursday; weeks begin on Monday. */
const nextStart: Record<Interval, (day: number) => number> = {
  day: (day) => day + 1,
  week: (day) => day + 7 - ((((day + 3) % 7) + 7) % 7),
  month: (day) => {
    const date = new Date(day * dayLength);
    return date.setUTCMonth(date.getUTCMonth() + 1, 1) / dayLength;
  },
};

const leastDays: Record<Interval, number> = { day: 1, week: 7, month: 28 };

/** Days, weeks or months without a gap from the first day to the last, where the outer steps are cut off. */
export function splitRange({ from, to }: IntervalStep, interval: Interval): IntervalStep[] {
  const [first, last] = [numberOf(from), numberOf(to)];
  if ((last - first) / leastDays[interval] > mostSteps) throw tooMany();
  const steps: IntervalStep[] = [];
  for (let start = first; start <= last; ) {
    const next = Math.min(nextStart[interval](start), last + 1);
    steps.push({ from: dayAt(start), to: dayAt(next - 1) });
    start = next;
  }
  return steps;
}

/**
 * The steps of a range. Without a beginning it begins with the first day that has figures. Without an end it ends today, or with the last day that
 * has figures if that lies later.
 */
export function splitOpenRange(
  { from, to }: DayRange,
  extent: IntervalStep | null,
  { interval, today }: { interval: Interval; today: string },
): IntervalStep[] {
  const first = from ?? extent?.from;
  const last = to ?? (extent && extent.to > today ? extent.to : today);
  return first === undefined ? [] : splitRange({ from: first, to: last }, interval);
}

/** Of days with figures, oldest first. */
export function extentOf(days: readonly { day: string }[]): IntervalStep | null {
  const [first, last] = [days[0], days.at(-1)];
  return first && last ? { from: first.day, to: last.day } : null;
}

const tooMany = (): ApiError => {
  const sentence = `A series has at most ${mostSteps} steps. Ask for longer steps or a shorter range.`;
  return new ApiError('rest_invalid_param', { message: sentence, data: { params: { interval: sentence } } });
};

export interface SeriesStep extends IntervalStep {
  figures: Figures;
}

/** The figures in steps. */
export function buildSeries(days: readonly DayFigures[], range: DayRange, length: { interval: Interval; today: string }): SeriesStep[] {
  const rest = days.values();
  let next = rest.next();
  return splitOpenRange(range, extentOf(days), length).map((step) => {
    const within: DayFigures[] = [];
    for (; !next.done && next.value.day <= step.to; next = rest.next()) within.push(next.value);
    return { ...step, figures: sumFigures(within) };
  });
}
