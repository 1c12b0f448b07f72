import type { EntityManager } from 'typeorm';
import type { EventRepository, NewEvent } from '../domain/events/event.ts';
import type { Repositories } from '../domain/repositories.ts';
import type { Transaction } from '../domain/unit-of-work.ts';
import type { WebhookNotifier } from '../domain/webhooks/delivery.ts';
import type { Storage } from './engine/storage.ts';
import { adjustmentRepository } from './repositories/adjustments.ts';
import { affiliateRepository } from './repositories/affiliates.ts';
import { backlogRepository } from './repositories/backlog.ts';
import { clickRepository } from './repositories/clicks.ts';
import { confirmationRepository } from './repositories/confirmations.ts';
import { connectionRepository } from './repositories/connections.ts';
import { couponRecordRepository, couponRepository, couponTermsRepository } from './repositories/coupons.ts';
import { credentialRepository } from './repositories/credentials.ts';
import { deliveryRepository, prepareDeliveries } from './repositories/deliveries.ts';
import { erasureRepository } from './repositories/erasure.ts';
import { appendEvents, feedRepository } from './repositories/events.ts';
import { exportRepository } from './repositories/exports.ts';
import { figureRepository } from './repositories/figures.ts';
import { idempotencyRepository } from './repositories/idempotency.ts';
import { invoiceRepository } from './repositories/invoices.ts';
import { ledgerRepository } from './repositories/ledger.ts';
import { sealRepository } from './repositories/ledger-seals.ts';
import { logoRepository } from './repositories/logos.ts';
import { mailRepository } from './repositories/mails.ts';
import { masterKeyRepository } from './repositories/master-key.ts';
import { orderMarkRepository } from './repositories/order-marks.ts';
import { orderPageRepository } from './repositories/order-pages.ts';
import { orderRepository } from './repositories/orders.ts';
import { payoutBatchRepository } from './repositories/payout-batches.ts';
import { payoutDetailsRepository } from './repositories/payout-details.ts';
import { payoutRepository } from './repositories/payouts.ts';
import { personalDataRepository } from './repositories/personal-data.ts';
import { registrationRepository } from './repositories/registrations.ts';
import { reportRepository } from './repositories/reports.ts';
import { factRepository } from './repositories/risk-facts.ts';
import { scanRepository } from './repositories/risk-scans.ts';
import { signalRepository } from './repositories/risk-signals.ts';
import { settingRepository } from './repositories/settings.ts';
import { deviceRepository, secondFactorRepository } from './repositories/sign-in-safety.ts';
import { creditLinkRepository, storePaymentRepository } from './repositories/store-payments.ts';
import {
  appPasswordRepository,
  keyRepository,
  oneTimeTokenRepository,
  programUserRepository,
  sessionRepository,
  userRecordRepository,
  userRepository,
} from './repositories/users.ts';
import { webhookRepository } from './repositories/webhooks.ts';

/** What is sent after a commit. */
export type OutgoingKind = 'mails' | 'webhooks';

interface RepositoryContext {
  manager: EntityManager;
  /** Called when the transaction leaves a mail or a webhook delivery to send. */
  onOutgoing(kind: OutgoingKind): void;
  recordEvent: EventRepository['record'];
}

const createRepository: { [Name in keyof Repositories]: (context: RepositoryContext) => Repositories[Name] } = {
  users: ({ manager }) => userRepository(manager),
  keys: ({ manager }) => keyRepository(manager),
  appPasswords: ({ manager }) => appPasswordRepository(manager),
  sessions: ({ manager }) => sessionRepository(manager),
  credentials: ({ manager }) => credentialRepository(manager),
  oneTimeTokens: ({ manager }) => oneTimeTokenRepository(manager),
  devices: ({ manager }) => deviceRepository(manager),
  secondFactors: ({ manager }) => secondFactorRepository(manager),
  coupons: ({ manager }) => couponRepository(manager),
  affiliates: ({ manager }) => affiliateRepository(manager),
  figures: ({ manager }) => figureRepository(manager),
  adjustments: ({ manager }) => adjustmentRepository(manager),
  orderPages: ({ manager }) => orderPageRepository(manager),
  payoutDetails: ({ manager }) => payoutDetailsRepository(manager),
  masterKeys: ({ manager }) => masterKeyRepository(manager),
  payouts: ({ manager }) => payoutRepository(manager),
  batches: ({ manager }) => payoutBatchRepository(manager),
  invoices: ({ manager }) => invoiceRepository(manager),
  idempotency: ({ manager }) => idempotencyRepository(manager),
  confirmations: ({ manager }) => confirmationRepository(manager),
  registrations: ({ manager }) => registrationRepository(manager),
  mails: ({ manager, onOutgoing }) => mailRepository(manager, () => onOutgoing('mails')),
  webhooks: ({ manager }) => webhookRepository(manager),
  deliveries: ({ manager, onOutgoing }) => deliveryRepository(manager, () => onOutgoing('webhooks')),
  settings: ({ manager }) => settingRepository(manager),
  clicks: ({ manager }) => clickRepository(manager),
  logos: ({ manager }) => logoRepository(manager),
  connections: ({ manager }) => connectionRepository(manager),
  reports: ({ manager }) => reportRepository(manager),
  storePayments: ({ manager }) => storePaymentRepository(manager),
  creditLinks: ({ manager }) => creditLinkRepository(manager),
  orders: ({ manager }) => orderRepository(manager),
  orderMarks: ({ manager }) => orderMarkRepository(manager),
  riskFacts: ({ manager }) => factRepository(manager),
  riskScans: ({ manager }) => scanRepository(manager),
  riskSignals: ({ manager }) => signalRepository(manager),
  ledger: ({ manager }) => ledgerRepository(manager),
  seals: ({ manager }) => sealRepository(manager),
  couponTerms: ({ manager }) => couponTermsRepository(manager),
  programUsers: ({ manager }) => programUserRepository(manager),
  userRecords: ({ manager }) => userRecordRepository(manager),
  couponRecords: ({ manager }) => couponRecordRepository(manager),
  exports: ({ manager }) => exportRepository(manager),
  personalData: ({ manager }) => personalDataRepository(manager),
  erasure: ({ manager }) => erasureRepository(manager),
  backlog: ({ manager }) => backlogRepository(manager),
  events: ({ manager, recordEvent }) => ({ ...feedRepository(manager), record: recordEvent }),
};

/** Creates each repository when it is first used: a request uses two or three of them. */
class LazyRepositories {
  readonly context: RepositoryContext;
  readonly created: Partial<Record<keyof Repositories, unknown>> = {};

  static {
    for (const name of Object.keys(createRepository) as (keyof Repositories)[])
      Object.defineProperty(LazyRepositories.prototype, name, {
        get(this: LazyRepositories) {
          this.created[name] ??= createRepository[name](this.context);
          return this.created[name];
        },
      });
  }

  constructor(context: RepositoryContext) {
    this.context = context;
  }
}

const createRepositories = (context: RepositoryContext): Repositories => new LazyRepositories(context) as unknown as Repositories;

const refuseEvent = async (): Promise<never> => {
  throw new Error('Events are recorded in a write, not in a read.');
};

export const readOnlyRepositories = (manager: EntityManager): Repositories =>
  createRepositories({ manager, onOutgoing: () => {}, recordEvent: refuseEvent });

export interface OpenTransaction {
  readonly db: Transaction<Repositories>;
  readonly events: readonly NewEvent[];
  /** What the transaction leaves to send. */
  readonly outgoing: ReadonlySet<OutgoingKind>;
  /** Must be the last step before the commit: it takes the feed's lock, and nothing else should run while that is held. */
  appendEvents(): Promise<void>;
}

interface TransactionParts {
  storage: Storage;
  notify: WebhookNotifier;
}

export function openTransaction(manager: EntityManager, { storage, notify }: TransactionParts): OpenTransaction {
  const events: NewEvent[] = [];
  const outgoing = new Set<OutgoingKind>();
  const onOutgoing = (kind: OutgoingKind): void => void outgoing.add(kind);
  const recordEvent = async (event: NewEvent): Promise<void> => {
    events.push(event);
  };
  return {
    db: Object.assign(createRepositories({ manager, onOutgoing, recordEvent }), {
      canWrite: true,
    } as const),
    events,
    outgoing,
    async appendEvents() {
      const queueDeliveries = await prepareDeliveries(manager, events, notify);
      if (queueDeliveries) onOutgoing('webhooks');
      await appendEvents(manager, storage, events, queueDeliveries);
    },
  };
}
