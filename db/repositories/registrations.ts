import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import type { NewRegistration, Registration, RegistrationStatus } from '../../domain/registrations/registration.ts';
import type { DecisionTaken, RegistrationFilter, RegistrationStore, SameApplication } from '../../domain/registrations/store.ts';
import { type EntityRow, isId } from '../entities/columns.ts';
import { coupons } from '../entities/coupons.ts';
import { registrations } from '../entities/registrations.ts';
import { users } from '../entities/users.ts';
import { foldCase } from '../sql/fold-case.ts';
import { insertRow } from '../sql/insert-with-id.ts';
import { orUnavailable } from '../sql/missing-table.ts';

export const registrationStore = (manager: EntityManager): RegistrationStore => ({
  byId: async (id) => (isId(id) ? orUnavailable(manager.findOneBy(registrations, { id })) : null),
  find: (application) => find(manager, application),
  page: (filter, page) => orUnavailable(pageOf(manager, filter, page)),
  insert: (registration, id) => insert(manager, registration, id),
  decide: (id, from, taken) => decide(manager, id, from, taken),
  link: async (id, { userId, couponId }) => void (await manager.update(registrations, { id }, { userId, couponId })),
  codeIsTaken: (code) => manager.existsBy(coupons, { codeFolded: foldCase(code) }),
  introduce: (userId, told) => introduce(manager, userId, told),
});

const newestFirst = { createdAt: 'DESC', id: 'DESC' } as const;

async function find(manager: EntityManager, application: SameApplication): Promise<Registration | null> {
  const emailFolded = foldCase(application.email);
  if ('at' in application) return manager.findOneBy(registrations, { emailFolded, createdAt: application.at });
  const couponCode = foldCase(application.couponCode);
  const ofThisPerson = await manager.find(registrations, { where: { emailFolded }, order: newestFirst });
  return ofThisPerson.find((one) => foldCase(one.couponCode) === couponCode) ?? null;
}

async function pageOf(manager: EntityManager, filter: RegistrationFilter, page: Page): Promise<Paged<Registration>> {
  const { userId, search } = filter;
  // Nobody has such an id, and nothing stored holds a NUL; PostgreSQL would refuse to compare either.
  if ((userId !== undefined && !isId(userId)) || search?.includes('\0')) return { items: [], total: 0 };
  const found = matching(manager, filter);
  const total = await found.getCount();
  if (isPastTheEnd(page, total)) return { items: [], total };
  const ordered = found.orderBy({ 'registration.createdAt': 'DESC', 'registration.id': 'DESC' });
  return { items: await ordered.offset(offsetOf(page)).limit(page.perPage).getMany(), total };
}

function matching(
  manager: EntityManager,
  { status, userId, search }: RegistrationFilter,
): SelectQueryBuilder<EntityRow<typeof registrations>> {
  const query = manager.createQueryBuilder(registrations, 'registration');
  if (status !== undefined) query.andWhere('registration.status = :status', { status });
  if (userId !== undefined) query.andWhere('registration.userId = :userId', { userId });
  if (search !== undefined) query.andWhere(`registration.searchFolded like :pattern escape '!'`, { pattern: containing(search) });
  return query;
}

/** What people look for is text: a percent sign in it means a percent sign. */
const containing = (search: string): string => `%${foldCase(search).replace(/[!%_]/g, '!$&')}%`;

function insert(manager: EntityManager, registration: NewRegistration, id: number | null): Promise<number> {
  const { login, email, displayName, couponCode } = registration;
  const row = {
    login,
    email,
    email_folded: foldCase(email),
    display_name: displayName,
    search_folded: [login, email, displayName, couponCode].map(foldCase).join('\n'),
    user_id: registration.userId,
    coupon_code: couponCode,
    status: 'pending',
    type: registration.type,
    promote: registration.promote,
    referrer: registration.referrer,
    website: registration.website,
    custom_fields: JSON.stringify(registration.customFields),
    message: '',
    created_at: registration.createdAt,
  };
  return insertRow(manager, 'registrations', row, id);
}

async function decide(manager: EntityManager, id: number, from: RegistrationStatus, taken: DecisionTaken): Promise<boolean> {
  const { affected } = await manager.update(registrations, { id, status: from }, taken);
  return affected === 1;
}

type Told = Parameters<RegistrationStore['introduce']>[1];

async function introduce(manager: EntityManager, userId: number, { website, promote, referrer, customFields }: Told): Promise<void> {
  const known = await manager.findOneOrFail(users, { select: { id: true, profile: true, customFields: true }, where: { id: userId } });
  const heard = Object.entries(known.profile).filter(([, value]) => value !== '');
  const values = [
    JSON.stringify({ website, promote, referrer, ...Object.fromEntries(heard) }),
    JSON.stringify({ ...customFields, ...known.customFields }),
    userId,
  ];
  await manager.query('update users set profile = $1, custom_fields = $2 where id = $3', values);
}
