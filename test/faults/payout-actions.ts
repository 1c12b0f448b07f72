import fc from 'fast-check';
import { type Fault, faults } from './failing-writes.ts';
import {
  gatewayOutcomes,
  type ModelSettings,
  owners,
  type PayoutRequest,
  type Resolution,
  type Target,
  type UserName,
} from './payout-model.ts';

export type Action =
  | { do: 'order'; order: number; status: string; total: number; refundedPart: number; fault: Fault | null }
  | ({ do: 'request' } & PayoutRequest)
  | { do: 'change'; payout: number; to: Target; fault: Fault | null }
  | { do: 'cancel and open again'; payout: number }
  | { do: 'set'; settings: Partial<ModelSettings> }
  | { do: 'resolve'; payout: number; to: Resolution }
  | { do: 'wait'; seconds: number }
  | { do: 'restart' };

/** Few, so that actions often affect the same records. */
export const numberOfOrders = 8;

/** Every run starts with commission for each coupon. */
export const firstOrders = owners.map((_owner, order) => ({
  do: 'order' as const,
  order,
  status: 'completed',
  total: 123_450 + order,
  refundedPart: 0,
  fault: null,
}));

const repeat = <Value>(value: Value, times: number): Value[] => Array.from({ length: times }, () => value);

const rareFault = (...some: readonly Fault[]): fc.Arbitrary<Fault | null> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...some) });

const arbitrarySettings: fc.Arbitrary<Partial<ModelSettings>> = fc.oneof(
  fc.record({ enabled: fc.constantFrom(...repeat(true, 4), false) }),
  fc.record({ requests: fc.constantFrom(...repeat(true, 3), false) }),
  fc.record({ threshold: fc.constantFrom(...repeat(0, 3), 5000, 30_000) }),
  fc.record({ details: fc.boolean() }),
  fc.record({ paypal: fc.constantFrom(true, true, false) }),
  {
    weight: 6,
    arbitrary: fc.record({
      auto: fc.option(
        fc.record({
          max: fc.constantFrom(10_000, 100_000, 100_000),
          gateway: fc.constantFrom(...(Object.keys(gatewayOutcomes) as (keyof typeof gatewayOutcomes)[])),
        }),
        { nil: null, freq: 4 },
      ),
    }),
  },
);

const payout = fc.nat(20);

const arbitraryAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      order: fc.nat(numberOfOrders - 1),
      status: fc.constantFrom(...repeat('completed', 5), 'processing', 'cancelled', 'refunded'),
      total: fc.integer({ min: 9995, max: 200_000 }),
      refundedPart: fc.constantFrom(...repeat(0, 5), 0.37, 1),
      fault: rareFault('events', 'ledger'),
    }),
  },
  {
    weight: 10,
    arbitrary: fc
      .record({
        do: fc.constant('request' as const),
        by: fc.constantFrom<(UserName | 'owner')[]>(...repeat<UserName | 'owner'>('owner', 6), 'admin', 'admin', 'ann', 'bob'),
        coupon: fc.constantFrom(...repeat(0, 6), ...repeat(1, 4), 2, 2, 3),
        key: fc.constantFrom(...repeat(null, 3), 'one', 'two'),
        // A result that cannot be written equals a crash during the gateway call.
        fault: rareFault(...repeat<Fault>('payouts update', 5), ...faults),
      })
      .map(({ by, ...rest }) => ({ ...rest, by: by === 'owner' ? (owners[rest.coupon] ?? 'admin') : by })),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      payout,
      to: fc.constantFrom<Target[]>('pending', 'created', 'paid', 'cancel'),
      fault: rareFault(...faults),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel and open again' as const), payout }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant('set' as const), settings: arbitrarySettings }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('resolve' as const),
      payout,
      to: fc.constantFrom<Resolution[]>('pending', 'created', 'paid', 'failed', 'failed'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 40_000, 86_400) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

/** A fixed number of steps; shrinking removes those that do not matter. */
export const arbitraryActions = (steps: number): fc.Arbitrary<Action[]> =>
  fc
    .array(fc.option(arbitraryAction, { nil: null, freq: 1000 }), { minLength: steps, maxLength: steps })
    .map((actions) => actions.filter((action) => action !== null));
