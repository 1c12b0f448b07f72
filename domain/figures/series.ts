import type { DayRange } from '../range.ts';
import { type DayFigures, type Figures, sumOf } from './figures.ts';
import { type Interval, type Step, stepsOf } from './steps.ts';

export interface SeriesStep extends Step {
  figures: Figures;
}

/** The figures in steps. An open end of the range is where the orders begin or end. */
export function seriesOf(days: readonly DayFigures[], range: DayRange, interval: Interval): SeriesStep[] {
  const from = range.from ?? days[0]?.day;
  const to = range.to ?? days.at(-1)?.day;
  if (from === undefined || to === undefined) return [];
  const rest = days.values();
  let next = rest.next();
  return stepsOf({ from, to }, interval).map((step) => {
    const within: DayFigures[] = [];
    for (; !next.done && next.value.day <= step.to; next = rest.next()) within.push(next.value);
    return { ...step, figures: sumOf(within) };
  });
}
