import { nearest } from '../../domain/records/nearest.ts';
import { amount, type CouponTemplateSetting, type SettingLimits, type SettingType } from './kinds.ts';
import { schema } from './schema.ts';
import type { Setting } from './setting.ts';

/** A path or a value that is refused. The message is one sentence for the operator. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

const table = new Map<string, Setting<unknown>>(Object.entries(schema));

export interface SettingPath extends SettingLimits {
  readonly path: string;
  readonly default: unknown;
  readonly description: string;
  /** Completes "must be …". */
  readonly allowed: string;
  readonly type: SettingType<unknown>['type'];
}

export const settingPaths: readonly SettingPath[] = [...table].map(([path, { default: byDefault, description, kind }]) => ({
  path,
  default: byDefault,
  description,
  allowed: kind.allowed,
  type: kind.type,
  ...kind.limits,
}));

/** The setting of this path. @throws {SettingError} naming the closest paths. */
export function getSetting(path: string): Setting<unknown> {
  const setting = table.get(path);
  if (setting) return setting;
  const suggested = nearest(path, [...table.keys()], { separator: '.', count: 3 });
  const advice = suggested.length > 0 ? `Did you mean ${listed(suggested)}?` : 'affiliate settings list shows all.';
  throw new SettingError(`There is no setting ${shown(path)}. ${advice}`);
}

/** Whether a stored value is an amount in the store's currency. */
export function isAmountSetting(path: string, value: unknown): boolean {
  if (path === 'registration.coupon_template') return (value as CouponTemplateSetting).discount_type !== 'percent';
  return table.get(path)?.kind === amount && value !== 0;
}

/** Returns the value if this setting allows it. @throws {SettingError} */
export function parseSetting(path: string, value: unknown): unknown {
  const { kind } = getSetting(path);
  if (kind.accepts(value)) return value;
  throw new SettingError(`${path} cannot be ${shown(value)}. ${kind.explain?.(value) ?? ''}It must be ${kind.allowed}.`);
}

export function shown(value: unknown): string {
  // JSON writes NaN and Infinity as null and cannot represent a function; the message would show another value.
  const written = typeof value === 'object' || typeof value === 'string' ? JSON.stringify(value) : String(value);
  return written.length > 100 ? `${written.slice(0, 100)}…` : written;
}

const listed = (words: string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1');

// The table has paths, the code reads a tree: `settings.payouts.methods.paypal.enabled`. The type follows from the table.
type Head<Path> = Path extends `${infer First}.${string}` ? First : Path;
type Below<Table, Group> = { [Path in keyof Table as Path extends `${Group & string}.${infer Rest}` ? Rest : never]: Table[Path] };
type Tree<Table> = {
  readonly [Name in Head<keyof Table> & string]: Name extends keyof Table
    ? Table[Name] extends Setting<infer Value>
      ? Value
      : never
    : Tree<Below<Table, Name>>;
};

/** All settings, defaults included. The same object as long as nothing changes. */
export type Settings = Tree<typeof schema>;

export interface SettingProblem {
  readonly path: string;
  /** One sentence for the operator. */
  readonly problem: string;
}

export interface BuiltSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
}

/**
 * The defaults, overlaid with the stored values. A stored value that is no longer valid (written by a later version, or by hand) is ignored
 * and listed in `problems`: the service uses the default, and `doctor` reports it.
 */
export function buildSettings(values: Readonly<Record<string, unknown>>): BuiltSettings {
  const problems: SettingProblem[] = [];
  const stored = new Map(Object.entries(values).filter(([path, value]) => passes(path, value, problems)));
  const tree: Branch = {};
  for (const { path, default: byDefault } of settingPaths) plant(tree, path.split('.'), stored.has(path) ? stored.get(path) : byDefault);
  return { settings: tree as Settings, problems };
}

function passes(path: string, value: unknown, problems: SettingProblem[]): boolean {
  try {
    parseSetting(path, value);
    return true;
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    problems.push({ path, problem: error.message });
    return false;
  }
}

interface Branch {
  [name: string]: unknown;
}

function plant(tree: Branch, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) tree[name] = value;
  else plant((tree[name] ??= {}) as Branch, rest, value);
}

/** Returns a setting by a path known at run time only: the contract's `x-access-when`, the command line. */
export const getSettingValue = (settings: Settings, path: string): unknown =>
  path.split('.').reduce<unknown>((branch, name) => (branch as Branch | undefined)?.[name], settings);
