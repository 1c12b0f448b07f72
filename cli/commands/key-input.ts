import { scopeOrder } from '../../domain/keys/key.ts';
import type { Scope } from '../../generated/operations.ts';
import { CommandError } from '../terminal/errors.ts';
import { dayGiven } from './day-input.ts';

// What people type about a key, looked at before it reaches the domain. Each refusal says what would do.

export function scopes(given: string): Scope[] {
  return given.split(',').map((word) => {
    const known = scopeOrder.find((scope) => scope === word.trim());
    if (known) return known;
    throw new CommandError(`There is no scope "${word.trim()}". Name one or more of ${scopeOrder.join(',')}, separated by commas.`);
  });
}

export const expiresDay = (given: string): string => dayGiven('--expires', given);

export function description(given: string): string {
  if (given.length <= 200) return given;
  throw new CommandError(`The description has ${given.length} characters. At most 200 are kept.`);
}

export function keyId(given: string): number {
  const id = /^[1-9]\d*$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new CommandError(`"${given}" is not the id of a key. affiliate key list shows them.`);
}
