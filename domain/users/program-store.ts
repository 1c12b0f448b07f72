/** An ancestor of a user: tier 1 is the direct parent. */
export interface Ancestor {
  userId: number;
  tier: number;
  ancestorId: number;
}

/** Users in their part in the program: who recruited whom, and who is an affiliate. */
export interface ProgramUserStore {
  /** The ancestors of these users, up to `depth` tiers. A cycle ends where it closes. */
  above(userIds: readonly number[], tiers: number): Promise<Ancestor[]>;
  setParent(userId: number, parentId: number | null): Promise<void>;
  /** Customers become affiliates; other roles stay what they are. */
  makeAffiliate(userId: number): Promise<void>;
}
