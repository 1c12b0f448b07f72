import type { EntityManager } from 'typeorm';
import type { SealingStore } from '../../domain/master-key/store.ts';

export const sealingStore = (manager: EntityManager): SealingStore => ({
  async proof() {
    const [row]: { sealed: string }[] = await manager.query('select sealed from key_proof');
    return row?.sealed ?? null;
  },
  async leaveProof(sealed) {
    await manager.query('insert into key_proof (id, sealed) values (1, $1) on conflict (id) do nothing', [sealed]);
  },
  async replaceProof(sealed) {
    await manager.query('insert into key_proof (id, sealed) values (1, $1) on conflict (id) do update set sealed = excluded.sealed', [
      sealed,
    ]);
  },
  async setWebhookSecret(webhookId, encryptedSecret) {
    await manager.query('update webhooks set encrypted_secret = $1 where id = $2', [encryptedSecret, webhookId]);
  },
});
