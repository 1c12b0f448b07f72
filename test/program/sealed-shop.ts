import type { Head, Seal } from '../../domain/ledger/seal.ts';
import { sealLedger } from '../../domain/ledger/seal-ledger.ts';
import { createSealingKey, generateSealingKey } from '../../domain/ledger/sealing-key.ts';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';
import type { Engine } from '../support/engines.ts';
import { changedPayout, requestedPayout } from './payouts.ts';
import { order } from './samples.ts';
import { Shop } from './shop.ts';

export const sealingKey = createSealingKey(generateSealingKey());

export const sealed = ({ database, now }: Shop, key = sealingKey): Promise<Seal | null> => sealLedger({ storage: database, key, now });

export const findings = async ({ database }: Shop, against: Head | null = null, key = sealingKey): Promise<string[]> =>
  listSentences(await database.read((stores) => verifyLedger(stores, { written: String, key, against })));

/** Coupon 1 is TRAIL10. Seals 1 to 3 cover an order, a payout and another order; order 3 is not sealed. */
export async function openSealedShop(engine: Engine, url: string): Promise<Shop> {
  const shop = await Shop.open(engine, {}, url);
  const trail = await shop.affiliate('TRAIL10');
  await shop.record(order({ orderId: 1, couponId: trail.couponId }));
  await sealed(shop);
  await changedPayout(shop, await requestedPayout(shop, trail), 'paid');
  await sealed(shop);
  await shop.record(order({ orderId: 2, couponId: trail.couponId, status: 'processing' }));
  await sealed(shop);
  await shop.record(order({ orderId: 3, couponId: trail.couponId }));
  return shop;
}
