import { offsetAt } from '../../domain/dates.ts';

const format = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?:(:\d{2})(?:(\.\d{1,3})\d*)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Parses a date, in the store's time zone if it has no offset. Null if there is no such date. */
export function parseMoment(text: string, zone: string): number | null {
  const [, day = '', minutes = '00:00', seconds = ':00', fraction = '', offset] = format.exec(text) ?? [];
  const asUtc = Date.parse(`${day}T${minutes}${seconds}${fraction}Z`);
  // Date.parse reads 30 February as 2 March, and 24:00 as the next day.
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(`${day}T${minutes}`)) return null;
  if (offset === undefined) return toMoment(asUtc, zone);
  const shift = offset === 'Z' ? 0 : parseOffset(offset);
  return shift === null ? null : asUtc - shift;
}

function parseOffset(offset: string): number | null {
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (hours > 14 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** In the store's time zone, with the offset: the repeated hour at the end of summer time is ambiguous without it. */
export function formatMoment(moment: number, zone: string): string {
  const offset = offsetAt(moment, zone);
  const local = new Date(moment + offset).toISOString().slice(0, -1).replace('.000', '');
  const minutes = Math.abs(offset) / 60_000;
  const clock = [Math.trunc(minutes / 60), Math.trunc(minutes % 60)].map((part) => String(part).padStart(2, '0')).join(':');
  return `${local}${offset < 0 ? '-' : '+'}${clock}`;
}

const dayMilliseconds = 86_400_000;
const quarterMilliseconds = 900_000;

/** In a repeated hour, the first occurrence. In a skipped hour, the moment at which the clock is set forward. */
function toMoment(asUtc: number, zone: string): number {
  const before = offsetAt(asUtc - dayMilliseconds, zone);
  const after = offsetAt(asUtc + dayMilliseconds, zone);
  if (before === after) return asUtc - before;
  const candidates = [before, after].filter((offset) => offsetAt(asUtc - offset, zone) === offset).map((offset) => asUtc - offset);
  if (candidates.length > 0) return Math.min(...candidates);
  // Clocks change at a quarter of an hour.
  let change = Math.ceil((asUtc - after) / quarterMilliseconds) * quarterMilliseconds;
  while (offsetAt(change, zone) !== after) change += quarterMilliseconds;
  return change;
}
