/**
 * The master keys of an installation: the newest encrypts, and all of them decrypt, so that what was stored before a rotation can be read.
 * The list may grow while the service runs.
 */
export interface KeyRing {
  /** Oldest first; at least one. */
  keys(): readonly string[];
  /** Hashes visitors. Random and stored encrypted: a rotation of the master key does not change it. */
  readonly visitorKey: Buffer;
}

/** One key alone, or a ring. */
export type MasterKey = string | Pick<KeyRing, 'keys'>;

export const listKeys = (masterKey: MasterKey): readonly string[] => (typeof masterKey === 'string' ? [masterKey] : masterKey.keys());

/** In a file of keys, a line that begins with # separates two keys. */
export const splitKeys = (text: string): string[] =>
  text
    .split(/^#.*$/m)
    .map((key) => key.trim())
    .filter((key) => key !== '');

export const formatAddedKey = (key: string, day: string): string => `# from ${day}; the key above is for backups from before\n${key}\n`;
