/** Whose key it is, and for what. The same key of another user, or of another operation, is another key. */
export interface KeyUse {
  userId: number;
  operation: string;
  key: string;
}

export interface FirstUse {
  /** The canonical form of the request. */
  request: string;
  answer: unknown;
}

export interface IdempotencyRepository {
  /** Null when the key was not used since then. */
  find(use: KeyUse, since: number): Promise<FirstUse | null>;
  /** False when the key was used since then. */
  insert(use: KeyUse, first: FirstUse, moment: { now: number; since: number }): Promise<boolean>;
  /** Replaces the stored answer, after a gateway has decided. */
  updateAnswer(use: KeyUse, answer: unknown): Promise<void>;
}
