import type { Page, Paged } from '../page.ts';
import type { NewRegistration, Registration, RegistrationStatus } from './registration.ts';

export interface RegistrationFilter {
  status?: RegistrationStatus;
  userId?: number;
  /** Part of the login, email, display name or coupon code of the application, ignoring case. */
  search?: string;
}

/** Identifies an application. Emails and codes are compared ignoring case. */
export type SameApplication = { email: string; at: number } | { email: string; couponCode: string };

/** What a decision writes. The moment of an earlier one stays. */
export type DecisionRecord = Pick<Registration, 'status' | 'message' | 'reviewedBy'> &
  Partial<Pick<Registration, 'acceptedAt' | 'declinedAt'>>;

export interface RegistrationRepository {
  byId(id: number): Promise<Registration | null>;
  /** The newest, where there are several. */
  find(application: SameApplication): Promise<Registration | null>;
  /** Newest first. */
  page(filter: RegistrationFilter, page: Page): Promise<Paged<Registration>>;
  /** With the given id, which must be free, or with the next one. */
  insert(registration: NewRegistration, id: number | null): Promise<number>;
  /** Conditional update. False if the status is no longer `from`. */
  decide(id: number, from: RegistrationStatus, decision: DecisionRecord): Promise<boolean>;
  /** Stores the user and the coupon that its acceptance created. */
  link(id: number, result: { userId: number; couponId: number }): Promise<void>;
  /** Whether any coupon, published or not, has this code, ignoring case. */
  codeIsTaken(code: string): Promise<boolean>;
  /** Adds the applicant's answers to the user's profile without replacing values. */
  fillProfile(userId: number, answers: Pick<Registration, 'website' | 'promote' | 'referrer' | 'customFields'>): Promise<void>;
}
