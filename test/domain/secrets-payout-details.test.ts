import { expect } from 'chai';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { type NewPayoutDetails, savePayoutDetails } from '../../domain/payout-details/save.ts';
import { systemRandom } from '../../domain/random.ts';
import { savedUser } from '../db/samples.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';

const secrets = createSecrets('payout_details', 'a master key of more than thirty-two characters', systemRandom);

onAnyEngine((engine) => {
  describe('payout details', () => {
    const database = testFixture(() => engine.open());
    const observer = testFixture(() => engine.observe(database.url));
    let userId: number;
    beforeEach(async () => {
      userId = await savedUser(database, { displayName: 'Trail Notes' });
    });

    const paypal = (): NewPayoutDetails => ({
      userId,
      method: 'PayPal',
      methodType: 'paypal',
      details: { email: 'mé@paypal.example' },
    });
    const save = (details: Partial<NewPayoutDetails> = {}, given = secrets, now = 1000) =>
      database.write((transaction) => savePayoutDetails(transaction, { ...paypal(), ...details }, { now, userId: 0, ...given }));
    const events = () => observer.query<Record<string, unknown>>('select kind, type, object_id, data from events order by id');

    it('are stored encrypted: neither the table nor the feed contains the destination', async () => {
      await save();
      const rows = await observer.query<Record<string, unknown>>('select * from payout_details');
      expect(rows).to.have.length(1);
      expect(rows[0]).to.include({ method: 'PayPal', method_type: 'paypal' });
      const sealed = String(rows[0]?.['encrypted_details']);
      expect(JSON.parse(secrets.decrypt(sealed, userId))).to.deep.equal(paypal().details);
      const [event] = await events();
      expect(event).to.include({ kind: 'payout_details', type: 'affiliate.payout_details_updated' });
      expect(JSON.parse(String(event?.['data']))).to.deep.equal({ user_id: userId, method_type: 'paypal', has_details: true });
      expect(JSON.stringify([rows, await events()])).not.to.include('paypal.example');
    });

    it('change nothing when saved again unchanged, and replace the old ones otherwise', async () => {
      const first = await save();
      expect(await save({}, secrets, 2000)).to.deep.equal({ ...first, outcome: 'unchanged' });
      expect(await events()).to.have.length(1);
      await save({ details: { email: 'other@paypal.example' } }, secrets, 3000);
      await save({ method: 'Bank transfer', methodType: 'banktransfer', details: {} }, secrets, 4000);
      const saved = await database.read(({ payoutDetails }) => payoutDetails.ofUser(userId));
      expect(saved).to.deep.equal({
        userId,
        method: 'Bank transfer',
        methodType: 'banktransfer',
        encryptedDetails: null,
        firstSavedAt: 1000,
        updatedAt: 4000,
      });
      expect((await events()).map(({ data }) => JSON.parse(String(data)).has_details)).to.deep.equal([true, true, false]);
    });

    it('can be saved again after the master key was lost', async () => {
      await save();
      const others = createSecrets('payout_details', 'another master key of more than thirty-two characters', systemRandom);
      const { encryptedDetails } = (await save({}, others)).details;
      expect(JSON.parse(others.decrypt(encryptedDetails ?? '', userId))).to.deep.equal(paypal().details);
    });

    it('are refused where they do not have the fields of their kind; older ones stay, also when they are imported again', async () => {
      const older = { email: 'not an address', account: '47' };
      const encryptedDetails = secrets.encrypt(JSON.stringify(older), userId);
      await database.write(({ payoutDetails }) =>
        payoutDetails.save({ userId, method: 'PayPal', methodType: 'paypal', encryptedDetails, firstSavedAt: 1, updatedAt: 1 }),
      );
      expect((await save({ details: older })).details).to.include({ encryptedDetails });
      const error = await save({ details: { ...older, account: '48' } }).catch((refusal: Error) => refusal);
      expect(error).to.include({
        code: 'rest_invalid_param',
        message: 'details.account is no field of paypal: it has email. details.email must be an email address, such as ada@example.com.',
      });
      expect(await events()).to.deep.equal([]);
      const { encryptedDetails: saved } = (await save({ details: { email: ' a@b.example ' } })).details;
      expect(JSON.parse(secrets.decrypt(saved ?? '', userId))).to.deep.equal({ email: 'a@b.example' });
      const again = await save({ details: { email: 'a@b.example' } });
      expect([again.outcome, again.details.encryptedDetails]).to.deep.equal(['unchanged', saved]);
    });

    it('are refused for a user that does not exist, and for unknown kinds', async () => {
      const bad: Partial<NewPayoutDetails>[] = [{ userId: 999 }, { method: '' }, { method: 'a\nb' }, { methodType: 'cash' as 'custom' }];
      for (const details of bad)
        await save(details).then(
          () => expect.fail(JSON.stringify(details)),
          (error: { code?: string }) => expect(error.code).to.equal('rest_invalid_param'),
        );
      expect([await events(), await observer.query('select * from payout_details')]).to.deep.equal([[], []]);
    });
  });
});
