import { createSealingKey, generateSealingKey, type SealingKey } from '../ledger/sealing-key.ts';
import { systemRandom } from '../random.ts';
import type { MasterKey } from './key-ring.ts';
import type { StoredKeyName } from './repository.ts';
import { createSecrets, opens } from './secrets.ts';

const proofText = 'This database belongs to the master key that opens this.';

/** That it can be opened proves the master key. */
export const createProof = (masterKey: MasterKey): string =>
  createSecrets('key_proof', masterKey, systemRandom).encrypt(proofText, 'key_proof');

/** The newest of these keys that the database with this proof belongs to. */
export const findOwner = (proof: string, keys: readonly string[]): string | undefined =>
  keys.findLast((key) => opens(createSecrets('key_proof', key, systemRandom), proof, 'key_proof'));

/** @throws when it was changed, or encrypted with another master key. */
export const openVisitorKey = (encrypted: string, masterKey: MasterKey): Buffer =>
  Buffer.from(createSecrets('visitor_key', masterKey, systemRandom).decrypt(encrypted, 'visitor_key'), 'base64url');

/** @throws when it was changed, or encrypted with another master key. */
export const openSealingKey = (encrypted: string, masterKey: MasterKey): SealingKey =>
  createSealingKey(createSecrets('sealing_key', masterKey, systemRandom).decrypt(encrypted, 'sealing_key'));

/** New keys that hash visitors and sign seals, encrypted. */
export const createStoredKeys = (masterKey: MasterKey): Record<StoredKeyName, string> => ({
  visitor_key: createSecrets('visitor_key', masterKey, systemRandom).encrypt(systemRandom.bytes(32).toString('base64url'), 'visitor_key'),
  sealing_key: createSecrets('sealing_key', masterKey, systemRandom).encrypt(generateSealingKey(), 'sealing_key'),
});
