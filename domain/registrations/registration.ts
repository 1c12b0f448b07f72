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
