import { webhookEvents } from '../../generated/events.ts';
import { localDateTime } from '../dates.ts';
import type { NewEvent } from '../events/event.ts';
import type { Registration, RegistrationStatus } from './registration.ts';
import { findTransition } from './transitions.ts';

interface Circumstances {
  now: number;
  zone: string;
  /** The acting user; 0 if unknown. */
  userId: number;
}

const verbs = { pending: 'came in', accepted: 'was accepted', declined: 'was declined' } as const;

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
    info: `The application of ${displayName} ${verbs[status]}.`,
    data: { registration_id: id, user_id: registration.userId ?? 0, coupon_code: couponCode, status, type, date },
    at: now,
  };
}
