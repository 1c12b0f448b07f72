import { startOfDay } from '../../domain/dates.ts';
import type { Chance } from './random.ts';

/** How the year of the shop goes: days of its calendar, the last of them yesterday. */
export interface Calendar {
  days: readonly string[];
  /** How busy each day is, against the others. */
  weights: readonly number[];
  /** A moment of a day at which people shop. */
  momentOn(day: number, chance: Chance): number;
  /** The end of a day, when the shop tells what has happened. */
  nightOf(day: number): number;
}

const daysOfYear = 365;
const dayMilliseconds = 86_400_000;

export function calendarUntil(today: string, zone: string, chance: Chance): Calendar {
  const first = Date.parse(`${today}T00:00:00Z`) - daysOfYear * dayMilliseconds;
  const days = Array.from({ length: daysOfYear }, (_, at) => new Date(first + at * dayMilliseconds).toISOString().slice(0, 10));
  const starts = days.map((day) => startOfDay(day, zone));
  return {
    days,
    // A shop that grows: by half in a year.
    weights: days.map((day, at) => busyness(day) * (0.8 + (0.4 * at) / daysOfYear) * (0.85 + 0.3 * chance.next())),
    momentOn: (day, each) => (starts[day] ?? 0) + shoppingSecond(each) * 1000,
    // Before midnight also on the day that has 23 hours.
    nightOf: (day) => (starts[day] ?? 0) + 22.75 * 3_600_000,
  };
}

// January to December: new year's sales are over, summer is for hiking, and then come Black Friday and the presents.
const months = [0.8, 0.75, 0.85, 0.95, 1.05, 1.15, 1.2, 1.1, 0.95, 0.95, 1.5, 1.7];
// Sunday to Saturday.
const weekdays = [1.35, 1.05, 0.9, 0.88, 0.9, 1, 1.25];

function busyness(day: string): number {
  const date = new Date(`${day}T12:00:00Z`);
  const [month, dayOfMonth, weekday] = [date.getUTCMonth(), date.getUTCDate(), date.getUTCDay()];
  const isBlackFriday = month === 10 && weekday === 5 && dayOfMonth >= 23 && dayOfMonth <= 29;
  // Too late to arrive before Christmas.
  const isTooLate = month === 11 && dayOfMonth >= 23;
  return (months[month] ?? 1) * (weekdays[weekday] ?? 1) * (isBlackFriday ? 2.4 : 1) * (isTooLate ? 0.35 : 1);
}

/** Few at night, most in the evening, none in the last hours: what happened is told at night, and must have happened by then. */
function shoppingSecond(chance: Chance): number {
  const evening = chance.happens(0.55);
  const hour = evening ? 16 + chance.next() * 6 : 6 + chance.next() * 10;
  return Math.floor(hour * 3600);
}

/** So many in all, over the days by their weights: the same number every year, whatever day it begins with. */
export function spread(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((before, weight) => before + weight, 0);
  let [due, given] = [0, 0];
  return weights.map((weight) => {
    due += (total * weight) / sum;
    const count = Math.round(due) - given;
    given += count;
    return count;
  });
}
