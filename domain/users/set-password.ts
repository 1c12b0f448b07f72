import type { Transaction } from '../ports.ts';

/** Ends the user's sessions. Keys and application passwords stay valid. */
export async function setPassword({ users, sessions }: Transaction, userId: number, passwordHash: string): Promise<void> {
  await users.setPasswordHash(userId, passwordHash);
  await sessions.removeOf(userId);
}
