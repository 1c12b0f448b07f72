import type { Head } from '../../domain/ledger/seal.ts';
import { sealLedger } from '../../domain/ledger/seal-ledger.ts';
import { type Beginning, createSealingKey, type SealingKey } from '../../domain/ledger/sealing-key.ts';
import { listSentences, type VerifyOptions, verifyLedger } from '../../domain/ledger/verify.ts';
import { openSealingKey, sealSealingKey } from '../../domain/master-key/key-ownership.ts';
import { createSecrets, isBound, opens, type SecretKind } from '../../domain/master-key/secrets.ts';
import { savePayoutDetails } from '../../domain/payout-details/save.ts';
import { systemRandom } from '../../domain/random.ts';
import { connectStore } from '../../domain/store/connect.ts';
import type { Engine } from '../support/engines.ts';
import { webhooksTo } from '../support/load.ts';
import { masterKey } from '../support/service.ts';
import { changedPayout, requestedPayout } from './payouts.ts';
import { order } from './samples.ts';
import { Shop } from './shop.ts';

const seed = Buffer.alloc(32, 7);
export const sealingKey: SealingKey = createSealingKey(seed);

const connectionId = 'ab'.repeat(16);
const secretsOf = (kind: SecretKind) => createSecrets(kind, masterKey, systemRandom);

/** Of an earlier secret of the same owner: it opens. */
export const earlierSecrets = {
  webhook1: secretsOf('webhook_secret').encrypt('whsec_ZWFybGllcg==', 1),
  store: secretsOf('store_secret').encrypt('the first secret', connectionId),
};

/** The store is connected with an earlier secret first. */
async function connectedStore({ database, now }: Shop): Promise<void> {
  const made = { id: connectionId, platform: 'woocommerce', name: '', secret: null } as const;
  const context = { now, random: systemRandom, secrets: secretsOf('store_secret') };
  await database.write((transaction) => connectStore(transaction, made, context));
  await database.write(({ connections }) => connections.setSecret(connectionId, earlierSecrets.store));
  await changedStoreSecret(database);
}

export const changedStoreSecret = (database: Shop['database']) =>
  database.write(({ connections }) =>
    connections.setSecret(connectionId, secretsOf('store_secret').encrypt('another secret', connectionId)),
  );

/** From now on the shop writes with the sealing key. */
export async function useSealingKey(shop: Shop, beginning: Beginning | null = null): Promise<void> {
  await shop.database.write(({ sealing }) => sealing.leaveKey('sealing_key', sealSealingKey(seed, masterKey, beginning)));
  shop.database.setSealingKey((sealed) => openSealingKey(sealed, masterKey));
}

/** As versions stored it that had no beginning in it. */
export async function withoutBeginning(shop: Shop): Promise<void> {
  const stored = sealSealingKey(seed, masterKey);
  await shop.database.write(({ sealing }) => sealing.replaceEncrypted('sealing_key', 'sealing_key', stored));
  shop.database.setSealingKey((text) => openSealingKey(text, masterKey));
}

/** With its beginning. */
async function storedKey({ database }: Shop): Promise<SealingKey> {
  const stored = await database.query(({ sealing }) => sealing.storedKey('sealing_key'));
  const isOurs = stored !== null && opens(createSecrets('sealing_key', masterKey, systemRandom), stored, 'sealing_key');
  return isOurs ? openSealingKey(stored, masterKey) : sealingKey;
}

export const sealed = async (shop: Shop, now = shop.now) => sealLedger({ storage: shop.database, key: await storedKey(shop), now });

export async function findings(shop: Shop, against: Head | null = null, now?: number): Promise<string[]> {
  const canOpen: NonNullable<VerifyOptions['canOpen']> = (kind, { id, text }) =>
    isBound(text) && opens(createSecrets(kind, masterKey, systemRandom), text, id);
  const key = await storedKey(shop);
  return listSentences(await shop.database.read((stores) => verifyLedger(stores, String, { key, against, now, canOpen })));
}

export const savedDetails = (shop: Shop, userId: number, email: string) => {
  const secrets = createSecrets('payout_details', masterKey, systemRandom);
  const given = { userId, method: 'PayPal', methodType: 'paypal', details: { email } } as const;
  return shop.database.write((transaction) => savePayoutDetails(transaction, given, { now: shop.now, userId: 0, ...secrets }));
};

/**
 * Coupon 1 is TRAIL10 with a parent, who has coupon 2. Orders 1 and 2 were recorded before the sealing key, and order 2 was changed after it;
 * seal 1 covers both. Orders 3 to 6 and 8, two payouts and payout details follow in seal 2, and order 7 is unsealed.
 */
export async function openSealedShop(engine: Engine, url: string): Promise<Shop> {
  const shop = await Shop.open(engine, { multiLevelThousandths: [5000] }, url);
  const above = await shop.user('above');
  const trail = await shop.affiliate('TRAIL10', { parent: above });
  await shop.coupon('PEAK20', { userId: above });
  const record = (orderId: number, given = {}) => shop.record(order({ orderId, couponId: trail.couponId, ...given }));
  await webhooksTo(shop.database, ['https://one.example/', 'https://two.example/']);
  await record(1);
  await record(2);
  await useSealingKey(shop);
  await record(2, { refunded: 1000 });
  await sealed(shop);
  await connectedStore(shop);
  await record(3);
  await record(4, { status: 'processing' });
  await record(5, { total: 5000 });
  await record(5, { total: 4000 });
  await record(6);
  await savedDetails(shop, trail.userId, 'trail@paypal.example');
  await savedDetails(shop, above, 'above@paypal.example');
  await changedPayout(shop, await requestedPayout(shop, trail), 'paid');
  await record(3, { refunded: 500 });
  await record(6, { refunded: 10_000 });
  await record(6);
  await record(8, { total: 20_000 });
  await requestedPayout(shop, trail);
  await sealed(shop, shop.now + 1000);
  await record(7);
  return shop;
}
