import type { SiteModule } from '../../site/extension.ts';
import type { Engine, Observer } from '../support/engines.ts';
import { TestClock, TestService } from '../support/service.ts';
import { prepareFaults } from './failing-writes.ts';
import type { ModelSettings } from './payout-model.ts';

const siteModule: SiteModule = {
  gateways: {
    failing: () => ({ status: 'failed', notice: 'The account of the store is empty.' }),
    rejecting: () => ({ status: 'rejected', notice: 'The account is closed.' }),
    throwing: () => {
      throw new Error('The payment provider does not answer.');
    },
  },
};

/** A service on a database with failing writes, used for many runs. */
export class PayoutFixture {
  readonly engine: Engine;
  readonly clock = new TestClock();
  readonly observer: Observer;
  readonly #databaseUrl: string;
  service: TestService;

  private constructor(engine: Engine, observer: Observer, service: TestService) {
    this.engine = engine;
    this.observer = observer;
    this.service = service;
    this.#databaseUrl = service.databaseUrl;
  }

  static async open(engine: Engine): Promise<PayoutFixture> {
    const databaseUrl = await engine.freshUrl();
    const observer = await engine.observe(databaseUrl);
    await prepareFaults(engine, observer);
    const fixture = new PayoutFixture(engine, observer, await TestService.start({ databaseUrl, siteModule }));
    await fixture.restart();
    await fixture.service.withoutLimits();
    return fixture;
  }

  /** Drops all caches. */
  async restart(): Promise<void> {
    await this.service.stop();
    this.service = await TestService.start({ databaseUrl: this.#databaseUrl, siteModule, clock: this.clock });
  }
}

/** The settings of the model as paths under `payouts`. */
export function settingPaths({
  enabled,
  requests,
  threshold,
  details,
  paypal,
  auto,
}: Partial<ModelSettings>): [path: string, value: unknown][] {
  const paths: [string, unknown][] = [
    ['enabled', enabled],
    ['requests_enabled', requests],
    ['threshold', threshold === undefined ? undefined : threshold / 100],
    ['details_required', details],
    ['methods.paypal.enabled', paypal],
    ['auto_accept.enabled', auto === undefined ? undefined : auto !== null],
    ['auto_accept.max_amount', auto ? auto.max / 100 : undefined],
    ['auto_accept.gateway', auto?.gateway],
  ];
  return paths.filter(([, value]) => value !== undefined);
}
