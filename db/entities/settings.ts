import { bigint, entity, json, primary, text } from './columns.ts';

export const settings = entity('settings', { path: primary(text('path')), value: json<unknown>('value') });

/** One row, with the id 1. */
export const settingsVersion = entity('settings_version', { id: primary(bigint('id')), version: bigint('version') });
