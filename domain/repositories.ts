import type { AffiliateRepository } from './affiliates/affiliate.ts';
import type { ClickRepository } from './clicks/repository.ts';
import type { CouponRecordRepository, CouponRepository } from './coupons/repository.ts';
import type { CouponTermsRepository } from './coupons/terms.ts';
import type { EventRepository } from './events/event.ts';
import type { FigureRepository } from './figures/figures.ts';
import type { IdempotencyRepository } from './idempotency.ts';
import type { InvoiceRepository } from './invoices/invoice.ts';
import type { KeyRepository } from './keys/repository.ts';
import type { LedgerRepository } from './ledger/repository.ts';
import type { SealRepository } from './ledger/seal.ts';
import type { MailRepository } from './mail/mail.ts';
import type { MasterKeyRepository } from './master-key/repository.ts';
import type { OrderRepository } from './orders/order.ts';
import type { OrderPageRepository } from './orders/order-pages.ts';
import type { PayoutDetailsRepository } from './payout-details/payout-details.ts';
import type { BatchRepository } from './payouts/batch.ts';
import type { PayoutRepository } from './payouts/repository.ts';
import type { ExportRepository } from './records/exported.ts';
import type { RegistrationRepository } from './registrations/repository.ts';
import type { BacklogRepository } from './reports/backlog.ts';
import type { ReportRepository } from './reports/repository.ts';
import type { SettingRepository } from './settings.ts';
import type { ConnectionRepository } from './store/connection.ts';
import type { OneTimeTokenRepository } from './users/one-time-token.ts';
import type { AppPasswordRepository, ProgramUserRepository, UserRecordRepository, UserRepository } from './users/repository.ts';
import type { SessionRepository } from './users/session.ts';
import type { DeliveryRepository, WebhookRepository } from './webhooks/repository.ts';

/**
 * All repositories, bound to one transaction. db/ implements them on SQLite and on PostgreSQL. The layers above the domain name this list;
 * functions of the domain name what they use.
 */
export interface Repositories {
  users: UserRepository;
  keys: KeyRepository;
  appPasswords: AppPasswordRepository;
  sessions: SessionRepository;
  oneTimeTokens: OneTimeTokenRepository;
  coupons: CouponRepository;
  affiliates: AffiliateRepository;
  figures: FigureRepository;
  orderPages: OrderPageRepository;
  payoutDetails: PayoutDetailsRepository;
  masterKeys: MasterKeyRepository;
  payouts: PayoutRepository;
  batches: BatchRepository;
  invoices: InvoiceRepository;
  idempotency: IdempotencyRepository;
  registrations: RegistrationRepository;
  mails: MailRepository;
  webhooks: WebhookRepository;
  deliveries: DeliveryRepository;
  settings: SettingRepository;
  clicks: ClickRepository;
  connections: ConnectionRepository;
  reports: ReportRepository;
  orders: OrderRepository;
  ledger: LedgerRepository;
  seals: SealRepository;
  couponTerms: CouponTermsRepository;
  programUsers: ProgramUserRepository;
  userRecords: UserRecordRepository;
  couponRecords: CouponRecordRepository;
  exports: ExportRepository;
  backlog: BacklogRepository;
  events: EventRepository;
}
