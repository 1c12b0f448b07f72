import { localDateTime } from '../../domain/dates.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago, as people say it; the day in the store's calendar where that is more than a month. */
export function ago(moment: number | null, now: number, zone: string): string {
  if (moment === null) return 'never';
  const passed = now - moment;
  // A clock that was put back, or two machines that differ.
  if (passed < -minute || passed > 31 * day) return localDateTime(moment, zone).slice(0, 10);
  if (passed < minute) return 'just now';
  if (passed < hour) return counted(Math.floor(passed / minute), 'minute');
  if (passed < day) return counted(Math.floor(passed / hour), 'hour');
  return counted(Math.floor(passed / day), 'day');
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
