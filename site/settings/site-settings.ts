import type { SettingStore, Stores, UnitOfWork } from '../../domain/ports.ts';
import { builtInGatewayNames } from './kinds.ts';
import { type BuiltSettings, buildSettings, getSetting, isAmountSetting, parseSetting, SettingError, type Settings } from './settings.ts';

/** Seen by all nodes within a second. Looking twice as often leaves half of it for the look itself. */
const lookEveryMs = 500;

export interface SettingsSnapshot extends BuiltSettings {
  /** Grows with every change; what is derived from settings can be kept as long as it stays the same. */
  readonly version: number;
}

export interface SiteSettingsParts {
  readonly unitOfWork: UnitOfWork;
  /** Whether any amount is stored. Asked inside the transaction that would change the currency, so that none can slip in between. */
  readonly moneyExists: (stores: Stores) => Promise<boolean>;
  /** Whether anything is kept by the days of the store's calendar. Asked likewise. */
  readonly daysExist?: (stores: Stores) => Promise<boolean>;
  /** The names the site module registers, beside the shipped ones. */
  readonly gateways?: readonly string[];
  /** Milliseconds that never run backwards: a clock set back by an hour must not stop the looking for an hour. */
  readonly monotonicMs?: () => number;
}

/** The settings as this process sees them. */
export class SiteSettings {
  readonly #unitOfWork: UnitOfWork;
  readonly #moneyExists: SiteSettingsParts['moneyExists'];
  readonly #daysExist: NonNullable<SiteSettingsParts['daysExist']>;
  readonly #gateways: ReadonlySet<string>;
  readonly #monotonicMs: () => number;
  #seen: SettingsSnapshot | null = null;
  #seenAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<SettingsSnapshot> | null = null;

  constructor({
    unitOfWork,
    moneyExists,
    daysExist = async () => false,
    gateways = [],
    monotonicMs = () => performance.now(),
  }: SiteSettingsParts) {
    this.#unitOfWork = unitOfWork;
    this.#moneyExists = moneyExists;
    this.#daysExist = daysExist;
    this.#gateways = new Set([...builtInGatewayNames, ...gateways]);
    this.#monotonicMs = monotonicMs;
  }

  /** The same object as long as nothing changes. */
  current(): Settings | Promise<Settings> {
    return this.#fresh?.settings ?? this.snapshot().then(({ settings }) => settings);
  }

  /** What `current` gives, where that has not to be waited for. */
  get cached(): Settings | null {
    return this.#fresh?.settings ?? null;
  }

  async snapshot(): Promise<SettingsSnapshot> {
    return this.#fresh ?? this.#looking ?? this.#look();
  }

  /** Null when it is time to look again. */
  get #fresh(): SettingsSnapshot | null {
    return this.#monotonicMs() - this.#seenAt < lookEveryMs ? this.#seen : null;
  }

  /** @throws {SettingError} when path or value is refused; nothing is changed then. */
  async set(path: string, value: unknown): Promise<void> {
    await this.#change(path, parseSetting(path, value), value);
  }

  /** Takes a setting back to its default. @throws {SettingError} */
  async unset(path: string): Promise<void> {
    await this.#change(path, null, getSetting(path).default);
  }

  async #change(path: string, stored: unknown, effective: unknown): Promise<void> {
    if (path === 'payouts.auto_accept.gateway') this.#refuseUnknownGateway(effective);
    await this.#unitOfWork.write(async (transaction) => {
      if (path === 'store.currency') await this.#refuseOtherCurrency(transaction, effective);
      if (path === 'store.timezone') await this.#refuseOtherDays(transaction, effective);
      await transaction.settings.set(path, stored);
    });
    // A look that began before the commit may still bring the old values; it is not kept.
    this.#looking = null;
    this.#seenAt = Number.NEGATIVE_INFINITY;
  }

  #refuseUnknownGateway(name: unknown): void {
    if (this.#gateways.has(String(name))) return;
    throw new SettingError(`There is no gateway ${JSON.stringify(name)} on this site. There are ${[...this.#gateways].join(', ')}.`);
  }

  async #refuseOtherCurrency(stores: Stores, wanted: unknown): Promise<void> {
    const { values } = await stores.settings.all();
    const { currency } = buildSettings(values).settings.store;
    if (wanted === currency) return;
    const refused = `store.currency cannot change from ${currency} to ${wanted}:`;
    const [amountPath] = Object.entries(values).flatMap(([path, value]) => (isAmountSetting(path, value) ? [path] : []));
    if (amountPath !== undefined) throw new SettingError(`${refused} ${amountPath} is an amount in ${currency}. Unset it first.`);
    if (await this.#moneyExists(stores)) throw new SettingError(`${refused} there are amounts in ${currency} already.`);
  }

  /** Lists and figures go by days that were worked out when things came in; in another zone they would be other days. */
  async #refuseOtherDays(stores: Stores, wanted: unknown): Promise<void> {
    const { timezone } = buildSettings((await stores.settings.all()).values).settings.store;
    if (wanted === timezone || !(await this.#daysExist(stores))) return;
    throw new SettingError(
      `store.timezone cannot change from ${timezone} to ${wanted}: there are orders, clicks or payouts by the days of ${timezone} already.`,
    );
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

async function read(store: SettingStore, seen: SettingsSnapshot | null): Promise<SettingsSnapshot> {
  if (seen && (await store.version()) === seen.version) return seen;
  const { version, values } = await store.all();
  return { version, ...buildSettings(values) };
}
