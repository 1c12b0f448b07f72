import type { SecretKind } from './secrets.ts';

/** Keys that hash or sign. They are stored encrypted, so that another master key changes how they are stored, and never what they are. */
export type StoredKeyName = 'visitor_key' | 'sealing_key';

/** Everything that is stored encrypted with the master key, except the proof. */
export type EncryptedKind = SecretKind | StoredKeyName;

export interface EncryptedText {
  /** Of its row. */
  id: number | string;
  text: string;
}

/** Which master key a database belongs to, by a known text that is encrypted with it, and what else is encrypted. */
export interface MasterKeyRepository {
  proof(): Promise<string | null>;
  /** Unless there is one. */
  leaveProof(sealed: string): Promise<void>;
  replaceProof(sealed: string): Promise<void>;
  /** Null before the database was claimed for a master key. */
  storedKey(name: StoredKeyName): Promise<string | null>;
  /** Unless there is one. */
  leaveKey(name: StoredKeyName, sealed: string): Promise<void>;
  /** One page by id. */
  encrypted(kind: EncryptedKind, after: EncryptedText['id'] | null, limit: number): Promise<EncryptedText[]>;
  /** Changes nothing else and records no event. */
  replaceEncrypted(kind: EncryptedKind, id: EncryptedText['id'], text: string): Promise<void>;
}
