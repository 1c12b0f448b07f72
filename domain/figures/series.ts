import type { DayRange } from '../range.ts';
import { type DayFigures, type Figures, sumFigures } from './figures.ts';
import { type Interval, type IntervalStep, splitRange } from './intervals.ts';

export interface SeriesStep extends IntervalStep {
  figures: Figures;
}

/** The figures in steps. An open end of the range is where the orders begin or end. */
export function buildSeries(days: readonly DayFigures[], range: DayRange, interval: Interval): SeriesStep[] {
  const from = range.from ?? days[0]?.day;
  const to = range.to ?? days.at(-1)?.day;
  if (from === undefined || to === undefined) return [];
  const rest = days.values();
  let next = rest.next();
  return splitRange({ from, to }, interval).map((step) => {
    const within: DayFigures[] = [];
    for (; !next.done && next.value.day <= step.to; next = rest.next()) within.push(next.value);
    return { ...step, figures: sumFigures(within) };
  });
}
