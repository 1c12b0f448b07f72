import { isDeepStrictEqual } from 'node:util';
import { logoSetting } from '../../domain/brand/logo.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { SettingRepository } from '../../domain/settings.ts';
import type { Transaction, UnitOfWork } from '../../domain/unit-of-work.ts';
import { builtInGatewayNames } from './kinds.ts';
import { findImprecision } from './precision.ts';
import {
  type BuiltSettings,
  buildSettings,
  getSettingValue,
  isAmountSetting,
  parseSetting,
  SettingError,
  type SettingPath,
  type SettingProblem,
  type Settings,
  settingPaths,
} from './settings.ts';

/** All nodes apply a change within a second. Reading every half second leaves the other half for the read itself. */
const refreshMs = 500;

export interface SettingsSnapshot extends BuiltSettings {
  /** Grows with every change, so that data derived from settings can be cached by it. */
  readonly version: number;
}

export interface SiteSettingsParts {
  readonly unitOfWork: UnitOfWork<Repositories>;
  /** Whether any amount is stored. Called inside the transaction that changes the currency, so that none can be stored meanwhile. */
  readonly moneyExists: (db: Repositories) => Promise<boolean>;
  /** Whether anything is stored by days of the store's calendar. Called inside the transaction that changes the time zone. */
  readonly daysExist?: (db: Repositories) => Promise<boolean>;
  /** The gateways that the site module registers, beside the built-in ones. */
  readonly gateways?: readonly string[];
  /** A monotonic clock: a system clock that is set back by an hour must not stop the refresh for an hour. */
  readonly monotonicMs?: () => number;
}

/** `changed`: the paths whose values will be others. */
type Work = (transaction: Transaction<Repositories>, changed: readonly string[]) => Promise<void>;

type StoredValues = Readonly<Record<string, unknown>>;

interface Change {
  path: string;
  /** Null: the default. */
  stored: unknown;
  effective: unknown;
}

/** A setting as people see and edit it. */
export interface DescribedSetting extends SettingPath {
  readonly value: unknown;
  /** Why it cannot change now, in a sentence. */
  readonly locked: string | null;
}

/** Several settings that are refused. */
export class SettingsError extends SettingError {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(problems.map(({ problem }) => problem).join(' '));
    this.problems = problems;
  }
}

/** @throws {SettingsError} with every change that `check` refuses. */
async function collectProblems(changes: readonly Change[], check: (change: Change) => unknown): Promise<void> {
  const problems: SettingProblem[] = [];
  for (const change of changes)
    try {
      await check(change);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      problems.push({ path: change.path, problem: error.message });
    }
  if (problems.length > 0) throw new SettingsError(problems);
}

function refuseImprecision(path: string, value: unknown, currency: string): void {
  const problem = findImprecision(path, value, currency);
  if (problem !== null) throw new SettingError(problem);
}

const inNewDatabase = ' To use another, set it in a new database before the first record, and import everything there.';

const gatewayPath = 'payouts.auto_accept.gateway';

/** Undefined for a path that does not exist, which is reported as such. */
const defaultOf = (path: string): unknown => settingPaths.find((setting) => setting.path === path)?.default;

/** The settings as this process sees them. */
export class SiteSettings {
  readonly #parts: SiteSettingsParts;
  readonly #unitOfWork: UnitOfWork<Repositories>;
  readonly #moneyExists: SiteSettingsParts['moneyExists'];
  readonly #daysExist: NonNullable<SiteSettingsParts['daysExist']>;
  readonly #gateways: ReadonlySet<string>;
  readonly #monotonicMs: () => number;
  #seen: SettingsSnapshot | null = null;
  #seenAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<SettingsSnapshot> | null = null;

  constructor(parts: SiteSettingsParts) {
    const { unitOfWork, moneyExists, daysExist = async () => false, gateways = [], monotonicMs = () => performance.now() } = parts;
    this.#parts = parts;
    this.#unitOfWork = unitOfWork;
    this.#moneyExists = moneyExists;
    this.#daysExist = daysExist;
    this.#gateways = new Set([...builtInGatewayNames, ...gateways]);
    this.#monotonicMs = monotonicMs;
  }

  /** The settings in another storage, with nothing cached. */
  in(unitOfWork: UnitOfWork<Repositories>): SiteSettings {
    return new SiteSettings({ ...this.#parts, unitOfWork });
  }

  /** The same object as long as nothing changes. */
  current(): Settings | Promise<Settings> {
    return this.#fresh?.settings ?? this.snapshot().then(({ settings }) => settings);
  }

  /** The result of `current` if it is available synchronously, else null. */
  get cached(): Settings | null {
    return this.#fresh?.settings ?? null;
  }

  async snapshot(): Promise<SettingsSnapshot> {
    return this.#fresh ?? this.#looking ?? this.#look();
  }

  /** Null when it is time to read again. */
  get #fresh(): SettingsSnapshot | null {
    return this.#monotonicMs() - this.#seenAt < refreshMs ? this.#seen : null;
  }

  /** @throws {SettingError} when path or value is refused; nothing is changed then. */
  async set(path: string, value: unknown): Promise<void> {
    await this.setAll({ [path]: parseSetting(path, value) });
  }

  /** Sets all of them or none, after `work` and in its transaction. Null resets a setting to its default. @throws {SettingsError} */
  async setAll(values: Readonly<Record<string, unknown>>, work?: Work): Promise<void> {
    const { problems } = buildSettings(Object.fromEntries(Object.entries(values).map(([path, value]) => [path, value ?? defaultOf(path)])));
    if (problems.length > 0) throw new SettingsError(problems);
    const changes = Object.entries(values).map(([path, value]) => ({ path, stored: value, effective: value ?? defaultOf(path) }));
    await this.#change(changes, work);
  }

  /** Resets a setting to its default. @throws {SettingError} */
  async unset(path: string): Promise<void> {
    await this.setAll({ [path]: null });
  }

  /** Every setting with its value, those of inactive add-ons included. */
  describe(): Promise<DescribedSetting[]> {
    return this.#unitOfWork.read(async (db) => {
      const { values } = await db.settings.all();
      const { settings } = buildSettings(values);
      const described: DescribedSetting[] = [];
      for (const setting of settingPaths) {
        const { path, choices } = setting;
        const lock = await this.#findLock(db, values, path);
        described.push({
          ...setting,
          value: getSettingValue(settings, path),
          choices: path === gatewayPath ? [...this.#gateways] : choices,
          locked: lock && `It cannot change: ${lock}`,
        });
      }
      return described;
    });
  }

  async #change(changes: readonly Change[], work?: Work): Promise<void> {
    await this.#unitOfWork.write(async (transaction) => {
      const { values } = await transaction.settings.all();
      const { settings } = buildSettings(values);
      const changed = changes.filter(({ path, effective }) => !isDeepStrictEqual(getSettingValue(settings, path), effective));
      const paths = changed.map(({ path }) => path);
      await work?.(transaction, paths);
      const currency = String(changes.find(({ path }) => path === 'store.currency')?.effective ?? settings.store.currency);
      const judged = currency === settings.store.currency ? changed : changes;
      await collectProblems(judged, ({ path, effective }) => refuseImprecision(path, effective, currency));
      // What else is set in the same change is meant for its result: an amount, in the new currency.
      const kept = Object.fromEntries(Object.entries(values).filter(([path]) => !changes.some((change) => change.path === path)));
      await collectProblems(changes, (change) => this.#refuse(transaction, { values, kept }, change));
      for (const { path, stored } of changes) await transaction.settings.set(path, stored);
    });
    // A read that began before the commit may return the old values; its result is not cached.
    this.#looking = null;
    this.#seenAt = Number.NEGATIVE_INFINITY;
  }

  async #refuse(db: Repositories, { values, kept }: Record<'values' | 'kept', StoredValues>, { path, effective }: Change): Promise<void> {
    if (path === gatewayPath) this.#refuseUnknownGateway(effective);
    if (path === logoSetting && effective !== '') await this.#refuseUnknownLogo(db, effective);
    const current = getSettingValue(buildSettings(values).settings, path);
    const lock = current === effective ? null : await this.#findLock(db, values, path, kept);
    if (lock !== null) throw new SettingError(`${path} cannot change from ${current} to ${effective}: ${lock}`);
  }

  #refuseUnknownGateway(name: unknown): void {
    if (this.#gateways.has(String(name))) return;
    throw new SettingError(`There is no gateway ${JSON.stringify(name)} on this site. There are ${[...this.#gateways].join(', ')}.`);
  }

  async #refuseUnknownLogo({ logos }: Repositories, sha256: unknown): Promise<void> {
    if ((await logos.find())?.sha256 === sha256) return;
    throw new SettingError(`${logoSetting} cannot be set to a logo that is not stored. Send the file to /console/logo.`);
  }

  /** Why the setting cannot change now, or null. */
  async #findLock(db: Repositories, values: StoredValues, path: string, kept = values): Promise<string | null> {
    if (path === 'store.currency') return this.#findCurrencyLock(db, values, kept);
    return path === 'store.timezone' ? this.#findTimeZoneLock(db, values) : null;
  }

  async #findCurrencyLock(db: Repositories, values: StoredValues, kept: StoredValues): Promise<string | null> {
    const { currency } = buildSettings(values).settings.store;
    if (await this.#moneyExists(db)) return `there are amounts in ${currency} already.${inNewDatabase}`;
    const [amountPath] = Object.entries(kept).flatMap(([path, value]) => (isAmountSetting(path, value) ? [path] : []));
    return amountPath === undefined ? null : `${amountPath} is an amount in ${currency}. Unset it first.`;
  }

  /** Lists and figures use days that were computed when orders, clicks and payouts were recorded; another zone has other days. */
  async #findTimeZoneLock(db: Repositories, values: StoredValues): Promise<string | null> {
    const { timezone } = buildSettings(values).settings.store;
    return (await this.#daysExist(db)) ? `there are orders, clicks or payouts by the days of ${timezone} already.${inNewDatabase}` : null;
  }

  #look(): Promise<SettingsSnapshot> {
    const startedAt = this.#monotonicMs();
    const isLatest = (): boolean => this.#looking === look;
    const look = this.#unitOfWork
      .read(({ settings }) => read(settings, this.#seen))
      .then((snapshot) => {
        if (isLatest()) [this.#seen, this.#seenAt] = [snapshot, startedAt];
        return snapshot;
      })
      .finally(() => {
        if (isLatest()) this.#looking = null;
      });
    this.#looking = look;
    return look;
  }
}

async function read(repository: SettingRepository, seen: SettingsSnapshot | null): Promise<SettingsSnapshot> {
  if (seen && (await repository.version()) === seen.version) return seen;
  const { version, values } = await repository.all();
  return { version, ...buildSettings(values) };
}
