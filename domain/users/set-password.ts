import type { Transaction } from '../ports.ts';

/** Whoever is signed in with the old password is not any more. Keys and application passwords have nothing to do with it. */
export async function setPassword({ users, sessions }: Transaction, userId: number, passwordHash: string): Promise<void> {
  await users.setPasswordHash(userId, passwordHash);
  await sessions.removeOf(userId);
}
