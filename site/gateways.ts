import type { GatewayOutcome, Pay, Payment } from '../domain/payouts/gateway.ts';

/** Everything but the destination. */
export type LoggedPayment = Omit<Payment, 'details'>;

/** The gateways that come with the service; a site's own stand beside them. `log` announces what it would have paid. */
export const createBuiltInGateways = (announce: (payment: LoggedPayment) => void): ReadonlyMap<string, Pay> =>
  new Map<string, Pay>([
    ['manual', async () => taken('created')],
    [
      'log',
      async ({ details: _details, ...payment }) => {
        announce(payment);
        return taken('paid');
      },
    ],
  ]);

const taken = (status: GatewayOutcome['status']): GatewayOutcome => ({ status, transactionId: '', notice: null });
