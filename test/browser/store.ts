import type { SiteModule } from '../../site/extension.ts';
import { builtWeb } from '../support/built-web.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

export const boss = { login: 'boss', password: 'a long password of the boss' };

/** A service with an administrator who can identify herself in every way. */
export interface Store {
  readonly service: TestService;
  readonly origin: string;
  readonly token: string;
  readonly appPassword: string;
}

export async function openStore({ siteModule = {}, edition }: { siteModule?: SiteModule; edition?: 'free' } = {}): Promise<Store> {
  await builtWeb();
  const service = await (
    await TestService.start({ databaseUrl: `sqlite:${temporaryFolder('browser-')}/store.db`, siteModule })
  ).withoutLimits();
  if (edition) await service.settings.set('edition', edition);
  const user = await service.user(boss.login, 'administrator', { password: boss.password });
  const { token } = await service.key(user, ['read', 'write', 'manage']);
  const { Authorization = '' } = await service.appPassword(user);
  const [, appPassword = ''] = Buffer.from(Authorization.slice('Basic '.length), 'base64').toString().split(':');
  return { service, origin: service.origin, token, appPassword };
}
