import type { EventRepository } from '../events/event.ts';
import type { Program } from '../program.ts';
import type { Transaction } from '../unit-of-work.ts';
import { isSameName } from '../users/names.ts';
import type { UserRepository } from '../users/repository.ts';
import type { User } from '../users/user.ts';
import { type Application, validateApplication } from './application.ts';
import { type Registration, registrationEvent, undecided } from './registration.ts';
import type { RegistrationRepository } from './repository.ts';

export interface Submission {
  registration: Registration;
  /** True when it had come in before: nothing was written. */
  existing: boolean;
}

export interface SubmissionRepositories {
  registrations: RegistrationRepository;
  users: UserRepository;
  events: EventRepository;
}

/**
 * Takes an application in, once. The same id with the same email is the same application; so are the same email and date. A sender who
 * sends no date is matched by email and requested code.
 */
export async function submitApplication(
  transaction: Transaction<SubmissionRepositories>,
  incoming: Application,
  { program: { zone }, now }: { program: Pick<Program, 'zone'>; now: number },
): Promise<Submission> {
  const { registrations, users, events } = transaction;
  const application = validateApplication(incoming, now);
  const holder = incoming.id === undefined ? null : await registrations.byId(incoming.id);
  const same = holder && isSameName(holder.email, application.email) ? holder : await sameAs(transaction, incoming);
  if (same) return { registration: same, existing: true };

  const user = await findApplicant(users, application.email);
  const createdAt = await freeMoment(transaction, application);
  const begun = { ...application, createdAt, userId: user?.id ?? null };
  // An id is kept when it is free.
  const id = await registrations.insert(begun, holder ? null : (incoming.id ?? null));
  const registration = { ...begun, ...undecided, id };
  await events.record(registrationEvent(registration, null, { now, zone, userId: user?.id ?? 0 }));
  return { registration, existing: false };
}

const sameAs = (
  { registrations }: { registrations: RegistrationRepository },
  { email, couponCode = '', at }: Application,
): Promise<Registration | null> => registrations.find(at === undefined ? { email, couponCode } : { email, at });

/** Two undated applications of one applicant in one file would otherwise have the same date, and count as one. */
async function freeMoment(
  { registrations }: { registrations: RegistrationRepository },
  { email, createdAt }: Pick<Registration, 'email' | 'createdAt'>,
): Promise<number> {
  let at = createdAt;
  while (await registrations.find({ email, at })) at += 1;
  return at;
}

/**
 * Finds the user by email, never by login: an applicant could enter the login of another user, and would be given that
 * user's account.
 */
export async function findApplicant(users: UserRepository, email: string): Promise<User | null> {
  return (await users.named([email])).find((user) => isSameName(user.email, email)) ?? null;
}
