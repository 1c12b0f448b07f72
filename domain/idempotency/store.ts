/** Whose key it is, and for what. The same key of another user, or of another operation, is another key. */
export interface KeyUse {
  userId: number;
  operation: string;
  key: string;
}

export interface FirstUse {
  /** What was asked, in words that are the same for the same. */
  request: string;
  answer: unknown;
}

export interface IdempotencyStore {
  /** Null when the key was not used since then. */
  find(use: KeyUse, since: number): Promise<FirstUse | null>;
  /** False when the key was used since then. */
  keep(use: KeyUse, first: FirstUse, moment: { now: number; since: number }): Promise<boolean>;
  /** More is known than when the answer was kept. */
  correct(use: KeyUse, answer: unknown): Promise<void>;
}
