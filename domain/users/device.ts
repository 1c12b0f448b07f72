import { createHash } from 'node:crypto';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';

/** A browser in which a user has signed in. Of the cookie's value only the hash is kept. One browser can be the device of several users. */
export interface Device {
  hash: string;
  userId: number;
  /** Since the last sign-in. */
  failures: number;
  lastUsedAt: number;
}

/** A device with so many failed attempts is void. */
export const maxDeviceFailures = 30;

/** Browsers keep no cookie for longer. */
export const deviceLifetimeMs = 400 * 24 * 60 * 60 * 1000;

/** The oldest beyond it are forgotten. */
const maxDevices = 20;

export interface DeviceRepository {
  /** Whether the user has or had a device. Void ones count. */
  hasAny(userId: number): Promise<boolean>;
  /** Whether it is a device of the user that is not void. */
  isValid(hash: string, userId: number): Promise<boolean>;
  /** Counts a failure of a device. False if it is no device of the user, or void. */
  countFailure(hash: string, userId: number): Promise<boolean>;
  undoFailure(hash: string, userId: number): Promise<void>;
  /** For all users of the browser. */
  replaceHash(hash: string, newHash: string): Promise<void>;
  save(device: Device): Promise<void>;
  /** Keeps the `limit` devices that were used last. */
  removeOldest(userId: number, limit: number): Promise<void>;
  removeUnusedSince(at: number): Promise<void>;
}

export const deviceHash = (cookie: string): string => createHash('sha256').update(cookie).digest('hex');

interface IssuedDevice {
  cookie: string;
  /** The user has other devices, and this browser was none of them. */
  isUnknown: boolean;
}

/**
 * Makes a browser a device of the user, under a fresh secret: a value that was stolen or planted before is worth nothing afterwards. Other users
 * of the same browser keep it as their device.
 */
export async function issueDevice(
  { devices }: Transaction<{ devices: DeviceRepository }>,
  userId: number,
  formerCookie: string | undefined,
  { now, random }: { now: number; random: SecureRandom },
): Promise<IssuedDevice> {
  const cookie = random.bytes(32).toString('base64url');
  const hash = deviceHash(cookie);
  const former = deviceHash(formerCookie ?? '');
  const isUnknown = (await devices.hasAny(userId)) && !(await devices.isValid(former, userId));
  await devices.replaceHash(former, hash);
  await devices.save({ hash, userId, failures: 0, lastUsedAt: now });
  await devices.removeOldest(userId, maxDevices);
  await devices.removeUnusedSince(now - deviceLifetimeMs);
  return { cookie, isUnknown };
}
