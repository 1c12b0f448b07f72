import { ApiError } from '../domain/errors.ts';
import { recordSettingsChange } from '../domain/events/settings-changed.ts';
import { offsetOf } from '../domain/page.ts';
import type { SettingProblem } from '../site/settings/settings.ts';
import { type DescribedSetting, SettingsError } from '../site/settings/site-settings.ts';
import type { OperationHandler } from './context.ts';
import { totals } from './views/user.ts';

export const get_settings: OperationHandler<'get_settings'> = async ({ query }, { siteSettings }) => {
  const { page, per_page: perPage } = query;
  const all = await siteSettings.describe();
  const start = offsetOf({ page, perPage });
  return { status: 200, body: all.slice(start, start + perPage).map(settingView), headers: totals(all.length, perPage) };
};

export const patch_settings: OperationHandler<'patch_settings'> = async ({ body }, { siteSettings, caller, now }) => {
  const context = { now, userId: caller.user.id };
  try {
    await siteSettings.setAll(body, (transaction, changed) => recordSettingsChange(transaction, changed, context));
  } catch (error) {
    throw error instanceof SettingsError ? toInvalidParameters(error.problems) : error;
  }
  const sent = (await siteSettings.describe()).filter(({ path }) => Object.hasOwn(body, path));
  return { status: 200, body: sent.map(settingView) };
};

const settingView = ({ choices, maxLength, ...setting }: DescribedSetting) => ({
  ...setting,
  choices: choices && [...choices],
  max_length: maxLength,
});

function toInvalidParameters(problems: readonly SettingProblem[]): ApiError {
  const params = Object.fromEntries(problems.map(({ path, problem }) => [path, problem]));
  return new ApiError('rest_invalid_param', { message: `Invalid parameter(s): ${Object.keys(params).join(', ')}.`, data: { params } });
}
