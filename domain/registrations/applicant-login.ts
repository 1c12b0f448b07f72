import type { SecureRandom } from '../random.ts';
import type { UserRepository } from '../users/repository.ts';
import { isLogin } from '../users/user.ts';

// The store finds users by login, and knows no login of `/apply`. A part of an address could be its login of another person, so the login of
// an applicant is the whole address, which only its owner can confirm, or ends in random characters.

const randomLength = 8;

/** With a hyphen for each character that a login cannot have. */
const stemOf = (email: string): string => `${email.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 60 - 1 - randomLength)}-`;

/** The login of an applicant without a user. */
export async function createLogin(users: UserRepository, email: string, random: SecureRandom): Promise<string> {
  const isUsable = isLogin(email) && (await users.named([email])).length === 0;
  return isUsable ? email : stemOf(email) + random.bytes(randomLength / 2).toString('hex');
}

/** False for one of a former version, which was the part before the @. */
export const isApplicantLogin = (login: string, email: string): boolean =>
  login === email || (login.startsWith(stemOf(email)) && login.length === stemOf(email).length + randomLength);
