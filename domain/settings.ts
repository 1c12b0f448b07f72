export interface SettingRepository {
  /** Returns the stored values by path, and a number that grows with every change. */
  all(): Promise<{ version: number; values: Record<string, unknown> }>;
  version(): Promise<number>;
  /** Null resets the setting to its default. */
  set(path: string, value: unknown): Promise<void>;
}
