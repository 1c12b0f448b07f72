import { nearest } from './nearest.ts';
import { type Setting, schema } from './schema.ts';

/** A path or a value that is refused. The message is one sentence for the person who gave it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

const table = new Map<string, Setting<unknown>>(Object.entries(schema));

export interface SettingPath {
  readonly path: string;
  readonly default: unknown;
  readonly description: string;
  /** Completes "must be …". */
  readonly allowed: string;
}

export const settingPaths: readonly SettingPath[] = [...table].map(([path, { default: byDefault, description, kind }]) => ({
  path,
  default: byDefault,
  description,
  allowed: kind.allowed,
}));

/** The setting of this path. @throws {SettingError} naming what was probably meant. */
export function getSetting(path: string): Setting<unknown> {
  const setting = table.get(path);
  if (setting) return setting;
  throw new SettingError(`There is no setting ${shown(path)}. Did you mean ${listed(nearest(path, [...table.keys()]))}?`);
}

/** The value, when this setting may hold it. @throws {SettingError} */
export function parseSetting(path: string, value: unknown): unknown {
  const { kind } = getSetting(path);
  if (kind.accepts(value)) return value;
  throw new SettingError(`${path} cannot be ${shown(value)}. It must be ${kind.allowed}.`);
}

function shown(value: unknown): string {
  // JSON writes NaN and Infinity as null and has no word for a function; the value would be stored as another.
  const written = typeof value === 'object' || typeof value === 'string' ? JSON.stringify(value) : String(value);
  return written.length > 100 ? `${written.slice(0, 100)}…` : written;
}

const listed = (words: string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1');
