import { webhookEvents } from '../../generated/events.ts';
import { type Transition, transitions } from '../../generated/transitions.ts';
import { localDateTime } from '../dates.ts';
import type { NewEvent } from '../events/event.ts';

export type RegistrationStatus = 'pending' | 'accepted' | 'declined';

export type RegistrationDecision = Exclude<RegistrationStatus, 'pending'>;

/** An application to the program. */
export interface Registration {
  id: number;
  login: string;
  email: string;
  displayName: string;
  /** The applicant's user. Null until there is one. */
  userId: number | null;
  /** Empty when none was asked for. */
  couponCode: string;
  status: RegistrationStatus;
  type: string;
  promote: string;
  referrer: string;
  website: string;
  customFields: Record<string, unknown>;
  /** The message of the latest decision. */
  message: string;
  couponId: number | null;
  createdAt: number;
  acceptedAt: number | null;
  declinedAt: number | null;
  reviewedBy: number | null;
  /** Whether it came by `/apply`: the login was not chosen by the store. */
  isOnline: boolean;
}

/** What an application begins with: undecided. */
export type NewRegistration = Omit<Registration, 'id' | 'status' | 'message' | 'couponId' | 'acceptedAt' | 'declinedAt' | 'reviewedBy'>;

export const undecided = {
  status: 'pending',
  message: '',
  couponId: null,
  acceptedAt: null,
  declinedAt: null,
  reviewedBy: null,
} as const satisfies Partial<Registration>;

type RegistrationTransition = Transition<'RegistrationStatus'>;

const { rows } = transitions.RegistrationStatus;

/** The row of the contract's state table; undefined where it has none. From null: the application comes in. */
export const findTransition = (from: RegistrationStatus | null, to: RegistrationStatus): RegistrationTransition | undefined =>
  rows.find((row) => row.from === from && row.to === to);

interface Circumstances {
  now: number;
  zone: string;
  /** The acting user; 0 if unknown. */
  userId: number;
}

const verbs = { pending: 'applied', accepted: 'was accepted', declined: 'was declined' } as const;

/** The event of a transition, for the feed and for webhooks. `from` is null for a new application. */
export function registrationEvent(
  registration: Registration,
  from: RegistrationStatus | null,
  { now, zone, userId }: Circumstances,
): NewEvent {
  const { id, displayName, couponCode, status, type, createdAt } = registration;
  const step = findTransition(from, status);
  if (!step) throw new Error(`The contract has no step from ${from} to ${status}.`);
  const date = localDateTime(createdAt, zone);
  return {
    kind: webhookEvents[step.event].feedKind,
    type: step.event,
    objectType: 'registration',
    objectId: id,
    userId,
    info: `${displayName} ${verbs[status]}.`,
    data: { registration_id: id, user_id: registration.userId ?? 0, coupon_code: couponCode, status, type, date },
    at: now,
  };
}
