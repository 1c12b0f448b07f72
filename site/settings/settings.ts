import { parseSetting, SettingError, settingPaths } from './parse.ts';
import type { Setting, schema } from './schema.ts';

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

/** Everything an operator decided, defaults included. The same object as long as nothing changes. */
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
 * The defaults, overlaid with what is stored. A stored value that no longer passes (written by a later version, or by hand) is left out and
 * told: the service starts with the default, and `doctor` names it.
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
