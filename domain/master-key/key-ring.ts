import { hkdfSync } from 'node:crypto';

/**
 * The master keys of an installation: the newest encrypts, and all of them decrypt, so that what was stored before a rotation can be read.
 * The list may grow while the service runs.
 */
export interface KeyRing {
  /** Oldest first; at least one. */
  keys(): readonly string[];
  /** Hashes visitors. Stored encrypted: a rotation of the master key does not change it. */
  readonly visitorKey: Buffer;
}

/** One key alone, or a ring. */
export type MasterKey = string | KeyRing;

export const listKeys = (masterKey: MasterKey): readonly string[] => (typeof masterKey === 'string' ? [masterKey] : masterKey.keys());

/** The key that hashes visitors in a database where none is stored yet. */
export const deriveVisitorKey = (masterKey: string): Buffer =>
  // A derived key, so that a leak of one use of the master key does not affect others.
  Buffer.from(hkdfSync('sha256', masterKey, '', 'affiliate-api/visitor/v1', 32));

/** In a file of keys, a line that begins with # separates two keys. */
export const splitKeys = (text: string): string[] =>
  text
    .split(/^#.*$/m)
    .map((key) => key.trim())
    .filter((key) => key !== '');

export const formatAddedKey = (key: string, day: string): string => `# from ${day}; the key above is for backups from before\n${key}\n`;
