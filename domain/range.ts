import { ApiError } from './errors.ts';

/** Days of the store's calendar, both included. Null is an open end. */
export interface DayRange {
  from: string | null;
  to: string | null;
}

export const isOpen = ({ from, to }: DayRange): boolean => from === null && to === null;

/** Spec, "Dates": without `to` the range ends today. `to` alone means everything up to it. */
export function dayRange({ from, to }: { from?: string; to?: string }, today: string): DayRange {
  if (from === undefined) return { from: null, to: to ?? null };
  if (to === undefined && from > today) throw invalidFrom(`from lies after today, ${today}. Give a to as well.`);
  if (to !== undefined && from > to) throw invalidFrom('from must not be after to.');
  return { from, to: to ?? today };
}

const invalidFrom = (sentence: string): ApiError =>
  new ApiError('rest_invalid_param', { message: 'Invalid parameter(s): from.', data: { params: { from: sentence } } });
