import type { ExportStore } from '../../domain/exports/store.ts';
import type { UnitOfWork } from '../../domain/ports.ts';
import type { Store } from './fields.ts';
import { writeClick } from './kinds/click.ts';
import { writeCoupon } from './kinds/coupon.ts';
import { writeOrder } from './kinds/order.ts';
import { writePayoutDetails } from './kinds/payout-details.ts';
import { writeRegistration } from './kinds/registration.ts';
import { writeUser } from './kinds/user.ts';
import type { Kind } from './kinds.ts';

/** How one kind is read from storage, piece after piece, and written. */
interface Writing<Item> {
  piece(store: ExportStore, after: number, limit: number): Promise<Item[]>;
  keyOf(item: Item): number;
  write(item: Item, store: Store): Record<string, unknown>;
}

const writings: { [kind in Kind]: (source: Source) => AsyncGenerator<Record<string, unknown>> } = {
  user: written({ piece: (store, ...range) => store.users(...range), keyOf: ({ id }) => id, write: writeUser }),
  coupon: written({ piece: (store, ...range) => store.coupons(...range), keyOf: ({ id }) => id, write: writeCoupon }),
  order: written({ piece: (store, ...range) => store.orders(...range), keyOf: ({ orderId }) => orderId, write: writeOrder }),
  click: written({ piece: (store, ...range) => store.clicks(...range), keyOf: ({ id }) => id, write: writeClick }),
  registration: written({ piece: (store, ...range) => store.openRegistrations(...range), keyOf: ({ id }) => id, write: writeRegistration }),
  payout_details: written({
    piece: (store, ...range) => store.payoutDetails(...range),
    keyOf: ({ userId }) => userId,
    write: writePayoutDetails,
  }),
};

interface Source {
  storage: UnitOfWork;
  store: Store;
}

const itemsAtOnce = 1000;

/**
 * Each piece is a read of its own: whoever takes the lines may be slow, and one long read would keep SQLite from tidying up its log for as
 * long. What comes in meanwhile has a higher key, so nothing is told twice or left out.
 */
function written<Item>({ piece, keyOf, write }: Writing<Item>) {
  return async function* ({ storage, store }: Source): AsyncGenerator<Record<string, unknown>> {
    for (let after = 0; ; ) {
      const items = await storage.read(({ exports }) => piece(exports, after, itemsAtOnce));
      for (const item of items) yield write(item, store);
      const last = items.at(-1);
      if (last === undefined || items.length < itemsAtOnce) return;
      after = keyOf(last);
    }
  };
}

/** Every record of a kind in the format that an import reads, by its key. */
export async function* exportLines(kind: Kind, source: Source): AsyncGenerator<string> {
  for await (const record of writings[kind](source)) yield JSON.stringify({ kind, ...record });
}
