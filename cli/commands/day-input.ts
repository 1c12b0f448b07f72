import { CommandError } from '../terminal/errors.ts';

/** A day as people type it, looked at before it reaches the domain. */
export function dayGiven(option: string, given: string): string {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(given) ? Date.parse(`${given}T00:00:00Z`) : Number.NaN;
  // Date.parse takes 30 February for 2 March.
  if (!Number.isNaN(moment) && new Date(moment).toISOString().startsWith(given)) return given;
  throw new CommandError(`${option} is "${given}". It must be a day that exists, as YYYY-MM-DD.`);
}
