import type { Page } from 'playwright-core';
import type { Clock } from '../../domain/clock.ts';
import type { SiteModule } from '../../site/extension.ts';
import type { ObservedPage } from '../support/browser.ts';
import { builtWeb } from '../support/built-web.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

export { newPage, type ObservedPage } from '../support/browser.ts';

export const admin = { login: 'boss', password: 'a long password of the boss' };

/** A service with an administrator who has every kind of credential. */
export interface Site {
  readonly service: TestService;
  readonly origin: string;
  readonly token: string;
  readonly appPassword: string;
}

interface SiteOptions {
  siteModule?: SiteModule;
  edition?: 'free';
  env?: Record<string, string>;
  clock?: Clock;
}

export async function startSite({ siteModule = {}, edition, env = {}, clock }: SiteOptions = {}): Promise<Site> {
  await builtWeb();
  const service = await (
    await TestService.start({ databaseUrl: `sqlite:${temporaryFolder('browser-')}/store.db`, siteModule, env, ...(clock && { clock }) })
  ).withoutLimits();
  if (edition) await service.settings.set('edition', edition);
  const user = await service.user(admin.login, 'administrator', { password: admin.password });
  const { token } = await service.key(user, ['read', 'write', 'manage']);
  const { Authorization = '' } = await service.appPassword(user);
  const [, appPassword = ''] = Buffer.from(Authorization.slice('Basic '.length), 'base64').toString().split(':');
  return { service, origin: service.origin, token, appPassword };
}

/** Opens the reference page and waits until it shows the contract. */
export async function openReference(page: Page, origin: string, suffix = ''): Promise<void> {
  await page.goto(`${origin}/docs${suffix}`);
  await page.waitForSelector('html[data-ready]');
}

/** The requests to another origin than the site's. */
export const foreignRequests = ({ requests }: ObservedPage, { origin }: Site): string[] =>
  requests.filter((url) => new URL(url).origin !== origin);
