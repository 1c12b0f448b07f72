import { EntitySchema } from 'typeorm';
import { jsonText, text, whole } from './columns.ts';

export interface SettingRow {
  path: string;
  value: unknown;
}

export const settings = new EntitySchema<SettingRow>({
  name: 'settings',
  columns: { path: { ...text('path'), primary: true }, value: jsonText('value') },
});

export interface SettingsVersionRow {
  /** Always 1: the table has this one row. */
  id: number;
  version: number;
}

export const settingsVersion = new EntitySchema<SettingsVersionRow>({
  name: 'settings_version',
  columns: { id: { ...whole('id'), primary: true }, version: whole('version') },
});
