/** Somebody above a user: tier 1 is the direct parent. */
export interface Ancestor {
  userId: number;
  tier: number;
  ancestorId: number;
}

/** Users in their part in the program: who recruited whom, and who is an affiliate. */
export interface ProgramUserStore {
  /** Everybody above these users, up to so many tiers. A circle, should one exist, ends where it closes. */
  above(userIds: readonly number[], tiers: number): Promise<Ancestor[]>;
  setParent(userId: number, parentId: number | null): Promise<void>;
  /** Customers become affiliates; other roles stay what they are. */
  makeAffiliate(userId: number): Promise<void>;
}
