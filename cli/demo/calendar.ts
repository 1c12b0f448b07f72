import { startOfDay } from '../../domain/dates.ts';
import type { SeededRandom } from './names.ts';

/** The year of the demo store. The last day is yesterday. */
export interface Calendar {
  days: readonly string[];
  /** Relative sales of each day. */
  weights: readonly number[];
  /** A random moment of a day, within shopping hours. */
  momentOn(day: number, random: SeededRandom): number;
  /** The end of a day, when the shop reports its orders and clicks. */
  nightOf(day: number): number;
}

const daysOfYear = 365;
export const dayMilliseconds = 86_400_000;

export function createCalendar(today: string, zone: string, random: SeededRandom): Calendar {
  const first = Date.parse(`${today}T00:00:00Z`) - daysOfYear * dayMilliseconds;
  const days = Array.from({ length: daysOfYear }, (_, at) => new Date(first + at * dayMilliseconds).toISOString().slice(0, 10));
  const starts = days.map((day) => startOfDay(day, zone));
  return {
    days,
    // The shop grows by half in a year.
    weights: days.map((day, at) => seasonalWeight(day) * (0.8 + (0.4 * at) / daysOfYear) * (0.85 + 0.3 * random.next())),
    momentOn: (day, each) => (starts[day] ?? 0) + shoppingSecond(each) * 1000,
    // Before midnight also on the day that has 23 hours.
    nightOf: (day) => (starts[day] ?? 0) + 22.75 * 3_600_000,
  };
}

// January to December.
const monthWeights = [0.8, 0.75, 0.85, 0.95, 1.05, 1.15, 1.2, 1.1, 0.95, 0.95, 1.5, 1.7];
// Sunday to Saturday.
const weekdayWeights = [1.35, 1.05, 0.9, 0.88, 0.9, 1, 1.25];

function seasonalWeight(day: string): number {
  const date = new Date(`${day}T12:00:00Z`);
  const [month, dayOfMonth, weekday] = [date.getUTCMonth(), date.getUTCDate(), date.getUTCDay()];
  const isBlackFriday = month === 10 && weekday === 5 && dayOfMonth >= 23 && dayOfMonth <= 29;
  const isTooLateForChristmas = month === 11 && dayOfMonth >= 23;
  return (monthWeights[month] ?? 1) * (weekdayWeights[weekday] ?? 1) * (isBlackFriday ? 2.4 : 1) * (isTooLateForChristmas ? 0.35 : 1);
}

/** Mostly in the evening, and never after `nightOf`. */
function shoppingSecond(random: SeededRandom): number {
  const isEvening = random.happens(0.55);
  const hour = isEvening ? 16 + random.next() * 6 : 6 + random.next() * 10;
  return Math.floor(hour * 3600);
}

/** Distributes a total over the days by their weights, without rounding errors in the sum. */
export function distribute(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((before, weight) => before + weight, 0);
  let [due, distributed] = [0, 0];
  return weights.map((weight) => {
    due += (total * weight) / sum;
    const count = Math.round(due) - distributed;
    distributed += count;
    return count;
  });
}
