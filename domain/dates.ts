import { ApiError } from './errors.ts';

// Moments are milliseconds since 1970 UTC; days are 'YYYY-MM-DD' of the store's calendar. Which is which depends on the store's time zone.

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    const numeric = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      calendar: 'gregory',
      numberingSystem: 'latn',
      ...numeric,
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

const dayMilliseconds = 86_400_000;
const maxCachedDays = 20_000;

/** By zone and UTC day: the offset that holds all day, or null for a day on which the clock changes. */
const offsets = new Map<string, Map<number, number | null>>();

/** How far local time of the zone is ahead of UTC, in milliseconds. Cached by day: Intl takes microseconds, and lists need it for every row. */
export function offsetAt(moment: number, zone: string): number {
  let days = offsets.get(zone);
  if (!days || days.size >= maxCachedDays) {
    days = new Map();
    offsets.set(zone, days);
  }
  const day = Math.floor(moment / dayMilliseconds);
  let offset = days.get(day);
  if (offset === undefined) {
    offset = computeOffset(day * dayMilliseconds, zone);
    if (offset !== computeOffset((day + 1) * dayMilliseconds, zone)) offset = null;
    days.set(day, offset);
  }
  return offset ?? computeOffset(moment, zone);
}

function computeOffset(moment: number, zone: string): number {
  const whole = Math.floor(moment / 1000) * 1000;
  const part = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(whole)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const local = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second);
  return local - whole;
}

export const isTimeZone = (zone: string): boolean => {
  try {
    return formatterOf(zone) !== undefined;
  } catch {
    return false;
  }
};

/** `YYYY-MM-DDTHH:MM:SS` in the zone, without offset: the contract's LocalDateTime. */
export const localDateTime = (moment: number, zone: string): string => new Date(moment + offsetAt(moment, zone)).toISOString().slice(0, 19);

const wordFormatter = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** For sentences: `20 Oct 2026, 14:05`. */
export const dateTimeInWords = (moment: number, zone: string): string => wordFormatter.format(moment + offsetAt(moment, zone));

/** The day of the zone's calendar on which the moment lies. */
export const dayOf = (moment: number, zone: string): string => localDateTime(moment, zone).slice(0, 10);

/** The first moment of a day. Where midnight does not exist (a clock put forward at 00:00, or by a whole day), the first moment after it. */
export function startOfDay(day: string, zone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const guess = midnight - offsetAt(midnight, zone);
  // Around a change of the clock, the offset of half a day before may be that of the first of two midnights.
  const candidates = [guess, guess - dayMilliseconds / 2].map((moment) => midnight - offsetAt(moment, zone)).concat(guess);
  return Math.min(...candidates.filter((candidate) => dayOf(candidate, zone) >= day));
}

/** The day of the calendar so many days later; earlier if it is below zero. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMilliseconds).toISOString().slice(0, 10);

/** The next day of the calendar. */
export const dayAfter = (day: string): string => addDays(day, 1);

/** The first moment after a day: a range of days is `startOfDay(from) <= moment < endOfDay(to)`. */
export const endOfDay = (day: string, zone: string): number => startOfDay(dayAfter(day), zone);

/** Days of the store's calendar, both included. Null is an open end. */
export interface DayRange {
  from: string | null;
  to: string | null;
}

export const isOpen = ({ from, to }: DayRange): boolean => from === null && to === null;

/** Without `to` the range ends today; it is empty if `from` is in the future. `to` alone means everything up to it. */
export function dayRange({ from, to }: { from?: string; to?: string }, today: string): DayRange {
  if (from === undefined) return { from: null, to: to ?? null };
  if (to !== undefined && from > to)
    throw new ApiError('rest_invalid_param', {
      message: 'Invalid parameter(s): from.',
      data: { params: { from: 'from must not be after to.' } },
    });
  return { from, to: to ?? today };
}
