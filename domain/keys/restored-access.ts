import type { ConfirmationRepository } from '../confirmation.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { DeviceRepository } from '../users/device.ts';
import type { OneTimeTokenRepository, TokenPurpose } from '../users/one-time-token.ts';
import type { AppPasswordRepository, UserRepository } from '../users/repository.ts';
import type { SessionRepository } from '../users/session.ts';
import type { KeyRepository } from './repository.ts';

interface AccessRepositories {
  users: UserRepository;
  sessions: SessionRepository;
  devices: DeviceRepository;
  oneTimeTokens: OneTimeTokenRepository;
  confirmations: ConfirmationRepository;
  keys: KeyRepository;
  appPasswords: AppPasswordRepository;
}

/** Applications that wait for their confirmation stay. */
const endedPurposes: readonly TokenPurpose[] = ['setup', 'set-password', 'reset-password', 'second-factor'];

/** Deletes what would give access again that has ended since the backup: sessions, links and confirmations. */
export async function endRestoredAccess(transaction: Transaction<AccessRepositories>): Promise<void> {
  const { sessions, devices, oneTimeTokens, confirmations } = transaction;
  await sessions.removeExpired(Number.MAX_SAFE_INTEGER);
  await devices.removeUnusedSince(Number.MAX_SAFE_INTEGER);
  for (const purpose of endedPurposes) await oneTimeTokens.removeBy({ purpose });
  await confirmations.deleteExpired(Number.MAX_SAFE_INTEGER);
}

const perPage = 1000;

/** Revokes all API keys and deletes all application passwords. Returns how many they were. */
export async function revokeAllKeys(
  { keys, users, appPasswords }: Transaction<AccessRepositories>,
  { now, today }: { now: number; today: string },
): Promise<number> {
  let count = 0;
  for (;;) {
    const { items } = await keys.page({ status: 'active', today }, { page: 1, perPage });
    if (items.length === 0) break;
    for (const { id } of items) if (await keys.revoke(id, now)) count += 1;
  }
  for (const user of await users.accounts())
    for (const { id } of await appPasswords.ofUser(user.id)) {
      await appPasswords.remove(id);
      count += 1;
    }
  return count;
}
