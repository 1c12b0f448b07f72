// What a site can plug in, in one place: the interface its module is written against, and how the service takes hold of it.

export type { GatewayOutcome, Payment } from '../domain/payouts/gateway.ts';
export type { ExtensionFailure, ReportFailure } from './extension/failure.ts';
export { guardSiteModule, type HookRefusal, type RaisedWebhookEvent, type SiteExtension } from './extension/guarded.ts';
export { loadSiteModule, SiteModuleError } from './extension/load.ts';
export type * from './extension/site-module.ts';
