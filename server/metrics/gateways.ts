import type { Pay } from '../../domain/payouts/gateway.ts';
import type { Metrics } from './metrics.ts';

/** The same gateways, their calls counted. */
export function meteredGateways(gateways: ReadonlyMap<string, Pay>, metrics: Pick<Metrics, 'gatewayCalls'> | undefined): Map<string, Pay> {
  if (!metrics) return new Map(gateways);
  const counted =
    (gateway: string, pay: Pay): Pay =>
    async (payment) => {
      const outcome = await pay(payment);
      metrics.gatewayCalls.add({ gateway, outcome: outcome.status });
      return outcome;
    };
  return new Map([...gateways].map(([name, pay]) => [name, counted(name, pay)]));
}
