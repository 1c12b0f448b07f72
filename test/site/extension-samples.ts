import {
  type ExtensionFailure,
  guardSiteModule,
  type Payment,
  type PayoutHookRequest,
  type ProgramEvent,
  type RegistrationHookRequest,
  type SiteExtension,
  type SiteModule,
} from '../../site/extension.ts';

export const payout: PayoutHookRequest = {
  couponId: 301,
  couponCode: 'TRAIL10',
  userId: 42,
  amountMinor: 3238,
  currency: 'EUR',
  methodType: 'paypal',
  requestedBy: 42,
};
export const registration: RegistrationHookRequest = {
  registrationId: 9,
  decision: 'accepted',
  applicant: { email: 'a@b.example', displayName: 'A' },
  couponCode: 'A10',
  decidedBy: 1,
};
export const payment: Payment = {
  payoutId: 501,
  idempotencyKey: 'payout-501',
  amountMinor: 3238,
  currency: 'EUR',
  methodType: 'paypal',
  details: { address: 'secret@paypal.example' },
  payee: { userId: 42, displayName: 'Trail Notes', email: 'hello@trailnotes.example' },
};
export const event: ProgramEvent = {
  kind: 'payout_paid',
  type: 'payout.paid',
  objectType: 'payout',
  objectId: 501,
  userId: 1,
  info: 'Payout 501 was marked as paid.',
  data: { amount: 32.38 },
  at: 0,
};
export const anonymous = { kind: 'anonymous' } as const;

export const boom = (): never => {
  throw new Error('boom');
};
export const laterBoom = async (): Promise<never> => boom();

export interface WatchedSites {
  /** What was reported since the test began. */
  readonly failures: ExtensionFailure[];
  members(): string[];
  /** The site of a module as it could be written without types. */
  site(module: Record<string, unknown>): SiteExtension;
}

/** For the tests of one `describe`; each starts without failures. */
export function watchedSites(): WatchedSites {
  const failures: ExtensionFailure[] = [];
  beforeEach(() => void failures.splice(0));
  return {
    failures,
    members: () => failures.map(({ member }) => member),
    site: (module) => guardSiteModule(module as SiteModule, (failure) => void failures.push(failure)),
  };
}
