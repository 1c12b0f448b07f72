import type { EntityManager } from 'typeorm';
import type { Page, Paged } from '../../domain/page.ts';
import type { NewRegistration, Registration, RegistrationStatus } from '../../domain/registrations/registration.ts';
import type { DecisionRecord, RegistrationFilter, RegistrationRepository, SameApplication } from '../../domain/registrations/repository.ts';
import { isId } from '../entities/columns.ts';
import { coupons } from '../entities/coupons.ts';
import { registrations } from '../entities/registrations.ts';
import { users } from '../entities/users.ts';
import { containing, foldCase, isStorable } from '../sql/conditions.ts';
import { insertWithId } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { findPage } from '../sql/projection.ts';

export const registrationRepository = (manager: EntityManager): RegistrationRepository => ({
  byId: async (id) => (isId(id) ? orUnavailable(manager.findOneBy(registrations, { id })) : null),
  find: (application) => find(manager, application),
  page: (filter, page) => orUnavailable(pageOfRegistrations(manager, filter, page)),
  insert: (registration, id) => insert(manager, registration, id),
  decide: (id, from, taken) => decide(manager, id, from, taken),
  link: async (id, { userId, couponId }) => void (await manager.update(registrations, { id }, { userId, couponId })),
  codeIsTaken: (code) => manager.existsBy(coupons, { codeFolded: foldCase(code) }),
  fillProfile: (userId, applicant) => introduce(manager, userId, applicant),
});

async function find(manager: EntityManager, application: SameApplication): Promise<Registration | null> {
  const emailFolded = foldCase(application.email);
  if ('at' in application) return manager.findOneBy(registrations, { emailFolded, createdAt: application.at });
  const couponCode = foldCase(application.couponCode);
  const ofThisEmail = await manager.find(registrations, { where: { emailFolded }, order: { createdAt: 'DESC', id: 'DESC' } });
  return ofThisEmail.find((one) => foldCase(one.couponCode) === couponCode) ?? null;
}

async function pageOfRegistrations(
  manager: EntityManager,
  { status, userId, search }: RegistrationFilter,
  page: Page,
): Promise<Paged<Registration>> {
  if ((userId !== undefined && !isId(userId)) || !isStorable(search ?? '')) return { items: [], total: 0 };
  const query = manager.createQueryBuilder(registrations, 'registration');
  if (status !== undefined) query.andWhere('registration.status = :status', { status });
  if (userId !== undefined) query.andWhere('registration.userId = :userId', { userId });
  if (search !== undefined) query.andWhere(`registration.searchFolded like :pattern escape '!'`, { pattern: containing(search) });
  return findPage(query.orderBy({ 'registration.createdAt': 'DESC', 'registration.id': 'DESC' }), page);
}

function insert(manager: EntityManager, registration: NewRegistration, id: number | null): Promise<number> {
  const { login, email, displayName, couponCode } = registration;
  const searchFolded = [login, email, displayName, couponCode].map(foldCase).join('\n');
  const row = { ...registration, emailFolded: foldCase(email), searchFolded, status: 'pending', message: '' } as const;
  return insertWithId(manager, registrations, row, id);
}

async function decide(manager: EntityManager, id: number, from: RegistrationStatus, taken: DecisionRecord): Promise<boolean> {
  const { affected } = await manager.update(registrations, { id, status: from }, taken);
  return affected === 1;
}

type Applicant = Parameters<RegistrationRepository['fillProfile']>[1];

async function introduce(manager: EntityManager, userId: number, { website, promote, referrer, customFields }: Applicant): Promise<void> {
  const user = await manager.findOneOrFail(users, { select: { id: true, profile: true, customFields: true }, where: { id: userId } });
  const stated = Object.entries(user.profile).filter(([, value]) => value !== '');
  await manager.update(
    users,
    { id: userId },
    {
      profile: { website, promote, referrer, ...Object.fromEntries(stated) },
      customFields: { ...customFields, ...user.customFields } as Record<string, object>,
    },
  );
}
