import { systemRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import { createProof } from './key-ownership.ts';
import { readEncrypted } from './read-encrypted.ts';
import type { EncryptedKind, MasterKeyRepository } from './repository.ts';
import { createSecrets, opens } from './secrets.ts';

/** A Record, so that the compiler asks for a new kind. */
const kinds: Record<EncryptedKind, true> = {
  payout_details: true,
  payout_file: true,
  webhook_secret: true,
  store_secret: true,
  store_api_secret: true,
  second_factor: true,
  visitor_key: true,
  sealing_key: true,
};
export const encryptedKinds = Object.keys(kinds) as EncryptedKind[];

/** The last of `keys` decrypts everything from now on. What it does not decrypt yet is encrypted again; returns how much that was. */
export async function reencrypt(
  { masterKeys }: Transaction<{ masterKeys: MasterKeyRepository }>,
  keys: readonly string[],
): Promise<number> {
  const newest = keys.at(-1) ?? '';
  let changed = 0;
  for (const kind of encryptedKinds) {
    const former = keys.map((key) => createSecrets(kind, key, systemRandom));
    const secrets = createSecrets(kind, newest, systemRandom);
    for await (const { id, text } of readEncrypted(masterKeys, kind)) {
      if (opens(secrets, text, id)) continue;
      const readable = former.find((each) => opens(each, text, id));
      if (!readable) throw new UnreadableSecretError(kind, id);
      await masterKeys.replaceEncrypted(kind, id, secrets.encrypt(readable.decrypt(text, id), id));
      changed += 1;
    }
  }
  await masterKeys.replaceProof(createProof(newest));
  return changed;
}

/** None of the keys decrypts it: they are not all keys of this database. */
export class UnreadableSecretError extends Error {
  constructor(kind: EncryptedKind, id: number | string) {
    super(`A stored secret (${kind} ${id}) was encrypted with another master key. Nothing was changed.`);
  }
}
