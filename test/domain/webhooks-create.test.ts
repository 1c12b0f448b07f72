import { expect } from 'chai';
import { ApiError } from '../../domain/errors.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { type SecureRandom, systemRandom } from '../../domain/random.ts';
import type { Caller } from '../../domain/users/user.ts';
import { createWebhook } from '../../domain/webhooks/manage.ts';
import { createMessage } from '../../domain/webhooks/message.ts';
import { newUser } from '../db/samples.ts';
import { start } from '../support/deliveries.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';

const caller: Caller = {
  user: { ...newUser(), id: 1, role: 'administrator', parentId: null },
  method: 'session',
  keyId: null,
  scopes: null,
};
const request = { name: '', url: 'https://books.example:8443/hook?token=abc', events: ['*'] };
const secrets = createSecrets('webhook_secret', 'a master key', systemRandom);

const exhausted: SecureRandom = {
  bytes: () => {
    throw new ApiError('svc_api_no_entropy');
  },
  below: () => 0,
};

onAnyEngine((engine) => {
  describe('a new webhook', () => {
    const database = testFixture(() => engine.open());
    const make = (context = { now: start, random: systemRandom as SecureRandom, secrets }) =>
      database.write((transaction) => createWebhook(transaction, caller, request, context));

    it('is not created where no secret can be generated, and never with a weak one', async () => {
      const sealing = { now: start, random: systemRandom, secrets: createSecrets('webhook_secret', 'a master key', exhausted) };
      for (const context of [{ now: start, random: exhausted, secrets }, sealing])
        expect(await make(context).catch(({ code, status }) => [code, status])).to.deep.equal(['svc_api_no_entropy', 500]);
      expect((await database.read(({ webhooks }) => webhooks.page({ page: 1, perPage: 9 }))).total).to.equal(0);
    });

    it('has a secret of its own, which only its master key decrypts', async () => {
      const [one, other] = [await make(), await make()];
      expect(one.secret).not.to.equal(other.secret);
      expect(secrets.decrypt(one.webhook.encryptedSecret, one.webhook.id)).to.equal(one.secret);
      const claimed = { ...one.webhook, webhookId: one.webhook.id, event: 'ping', data: {} };
      const wrong = createSecrets('webhook_secret', 'another master key', systemRandom);
      expect(() => createMessage(claimed, { site: 'https://fjell.example', secrets: wrong, now: start })).to.throw(/another master key/);
    });

    it('is recorded without its URL, which may contain secrets of the receiver', async () => {
      await make();
      const { items } = await database.read(({ events }) => events.newest({ kinds: [], userId: null }, { page: 1, perPage: 1 }));
      expect(items[0]?.info).to.equal('Webhook 1 (books.example:8443) was created.');
    });
  });
});
