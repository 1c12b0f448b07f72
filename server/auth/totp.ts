import { Secret, TOTP } from 'otpauth';
import type { Secrets } from '../../domain/master-key/secrets.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { FindStep } from '../../domain/users/second-factor.ts';
import type { User } from '../../domain/users/user.ts';

const stepMs = 30_000;
/** Clocks of telephones differ: the step before and the one after are accepted, too. */
const driftSteps = 1;

const totpOf = (secret: string, labels: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...labels, secret: Secret.fromBase32(secret) });

/** RFC 6238: six digits, SHA-1, a step of 30 seconds, as all apps have it. */
export const findStep: FindStep = (secret, code, now) => {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: driftSteps });
  return delta === null ? null : Math.floor(now / stepMs) + delta;
};

export interface SecondFactorSetup {
  /** For people who cannot scan the code. */
  secret: string;
  /** For the QR code. */
  uri: string;
  /** The encrypted secret, which the browser sends back with the first code. Nothing is stored before that. */
  setup: string;
}

const setupLifetimeMs = 15 * 60 * 1000;

interface SetupContext {
  now: number;
  secrets: Secrets;
}

interface NewSetupContext extends SetupContext {
  random: SecureRandom;
  /** A set-up that goes on, after a wrong code: the app has its secret. */
  former?: string | undefined;
}

export function createSetup(
  user: Pick<User, 'id' | 'login'>,
  storeName: string,
  { now, secrets, random, former = '' }: NewSetupContext,
): SecondFactorSetup {
  const secret = openSetup(former, user.id, { now, secrets }) ?? new Secret({ buffer: Uint8Array.from(random.bytes(20)).buffer }).base32;
  const uri = totpOf(secret, { issuer: storeName, label: user.login }).toString();
  return { secret, uri, setup: secrets.encrypt(JSON.stringify({ secret, until: now + setupLifetimeMs }), user.id) };
}

/** The secret of a set-up that its user began a short while ago. Null otherwise. */
function openSetup(setup: string, userId: number, { now, secrets }: SetupContext): string | null {
  try {
    const { secret, until } = JSON.parse(secrets.decrypt(setup, userId));
    return until > now ? secret : null;
  } catch {
    return null;
  }
}

/** What to store if the code belongs to the set-up. `old` if that has to begin again, `wrong` for a wrong code. */
export function completeSetup(
  { setup, code }: { setup: string; code: string },
  userId: number,
  context: SetupContext,
): { encryptedSecret: string; step: number } | 'old' | 'wrong' {
  const secret = openSetup(setup, userId, context);
  if (secret === null) return 'old';
  const digits = code.replaceAll(/\s/g, '');
  const step = /^[0-9]{6}$/.test(digits) ? findStep(secret, digits, context.now) : null;
  return step === null ? 'wrong' : { encryptedSecret: context.secrets.encrypt(secret, userId), step };
}

/** As six groups of a few characters, which people type. */
export const formatSecret = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');
