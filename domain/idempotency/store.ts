/** Whose key it is, and for what. The same key of another user, or of another operation, is another key. */
export interface KeyUse {
  userId: number;
  operation: string;
  key: string;
}

export interface FirstUse {
  /** What was asked, in words that are the same for the same. */
  request: string;
  /** Null while it is not known: the first request is under way, or was cut off. */
  answer: unknown;
}

export interface IdempotencyStore {
  /** Null when the key was not used since then. */
  find(use: KeyUse, since: number): Promise<FirstUse | null>;
  /** False when the key was used since then, unless for the same and still without an answer. */
  keep(use: KeyUse, first: FirstUse, moment: { now: number; since: number }): Promise<boolean>;
}
