import type { SettingType } from './kinds.ts';

export interface Setting<Value> {
  readonly default: Value;
  readonly kind: SettingType<Value>;
  readonly description: string;
}

export const setting = <Value>(byDefault: NoInfer<Value>, kind: SettingType<Value>, description: string): Setting<Value> => ({
  default: byDefault,
  kind,
  description,
});
