import { expect } from 'chai';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';
import { createProof, isSealingKeyDeleted, openSealingKey, readTraces, sealSealingKey } from '../../domain/master-key/key-ownership.ts';
import { reencrypt } from '../../domain/master-key/rotate.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { Locks, requestPayout } from '../../domain/payouts/request.ts';
import { systemRandom } from '../../domain/random.ts';
import { openMasterKey } from '../../server/auth/master-key.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { sealWhatIsDue } from '../../server/jobs/ledger-sealing-job.ts';
import { buildPayoutPolicy } from '../../site/program.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { failureOf, gate } from '../db/gate.ts';
import { disableIntegrityChecks } from '../support/disable-integrity-checks.ts';
import { forEachEngine } from '../support/engines.ts';
import { masterKey } from '../support/service.ts';
import { order } from './samples.ts';
import { savedDetails } from './sealed-shop.ts';
import { Shop } from './shop.ts';

const configuration = readConfiguration({ ENVIRONMENT: 'local', MASTER_KEY: masterKey });
const newKey = 'another master key of 32 characters';
const ring = { keys: () => [masterKey, newKey], visitorKey: Buffer.alloc(0) };

forEachEngine((engine) => {
  describe('the sealing key', () => {
    const openKey = async (shop: Shop): Promise<void> => {
      await openMasterKey(shop.database, configuration, () => {});
      shop.database.setSealingKey((sealed) => openSealingKey(sealed, ring));
    };
    const openShop = async () => {
      const shop = await Shop.open(engine);
      await openKey(shop);
      const owner = await shop.affiliate('TRAIL10');
      await savedDetails(shop, owner.userId, 'trail@paypal.example');
      await shop.record(order({ orderId: 1, couponId: owner.couponId }));
      await sealWhatIsDue({ storage: shop.database, masterKey, clock: { now: () => shop.now } });
      return { shop, owner };
    };

    it('is not created anew after it was deleted, with seals, digests and marks', async () => {
      const { shop } = await openShop();
      await disableIntegrityChecks(engine, shop.observer);
      for (const from of [
        "stored_keys where name = 'sealing_key'",
        'ledger_seals',
        'ledger_digests',
        "events where kind = 'ledger_sealed'",
      ])
        await shop.observer.query(`delete from ${from}`);
      await shop.observer.query('update ledger set movement = substr(movement, 1, length(movement) - 23)');
      expect((await failureOf(openMasterKey(shop.database, configuration, () => {}))).message).to.match(
        /^The sealing key of the ledger was/,
      );
      const isKeyDeleted = isSealingKeyDeleted(await shop.database.read(readTraces), [masterKey]);
      const found = await shop.database.read((stores) => verifyLedger(stores, String, { isKeyDeleted }));
      expect(listSentences(found)).to.deep.equal([
        'The sealing key was deleted, with all seals: nothing can be compared with them. Restore a backup.',
      ]);
    });

    it('is created in a database of a version that had none, whose proof says so from then on', async () => {
      const shop = await Shop.open(engine);
      await shop.database.write(({ sealing }) => sealing.replaceProof(createProof(masterKey, false)));
      await openKey(shop);
      await shop.observer.query("delete from stored_keys where name = 'sealing_key'");
      expect((await failureOf(openKey(shop))).message).to.match(/^The sealing key of the ledger was deleted/);
    });

    it('is read by a version that knows no beginning', () => {
      const seed = systemRandom.bytes(32);
      const beginning = { unmarkedTo: 7, kinds: ['order'] };
      const sealed = sealSealingKey(seed, masterKey, beginning);
      const text = createSecrets('sealing_key', masterKey, systemRandom).decrypt(sealed, 'sealing_key');
      expect(Buffer.from(text, 'base64url')).to.deep.equal(seed);
      expect(openSealingKey(sealed, masterKey).beginning).to.deep.equal(beginning);
    });

    if (engine.name === 'postgres')
      it('finds no difference if a payout is requested while the master key is replaced', async () => {
        const { shop, owner } = await openShop();
        const user = (await shop.database.read(({ users }) => users.byId(owner.userId))) ?? expect.fail();
        const other = await Shop.open(engine, {}, shop.databaseUrl);
        await openKey(other);
        const { settings } = buildSettings({});
        const context = {
          ...{
            storage: other.database,
            policy: buildPayoutPolicy(settings, new Map()),
            locks: new Locks(),
            clock: { now: () => shop.now },
          },
          ...{ secrets: createSecrets('payout_details', ring, systemRandom), change: other, review: null, saveOutcome: null },
          report: (_error: unknown, sentence: string) => expect.fail(sentence),
        };
        const written = gate();
        const end = gate();
        const rotating = shop.database.write(async (transaction) => {
          await reencrypt(transaction, ring.keys());
          written.open();
          await end.opened;
        });
        await written.opened;
        const caller = { user, method: 'session', keyId: null, scopes: null } as const;
        const requesting = requestPayout({ caller, couponId: owner.couponId }, context);
        setTimeout(end.open, 300);
        await rotating;
        expect((await requesting).kind).to.equal('created');
        const stored = (await shop.database.query(({ sealing }) => sealing.storedKey('sealing_key'))) ?? expect.fail();
        const key = openSealingKey(stored, ring);
        expect(listSentences(await shop.database.read((stores) => verifyLedger(stores, String, { key })))).to.deep.equal([]);
      });
  });
});
