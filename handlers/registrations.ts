import { ApiError } from '../domain/errors.ts';
import { composeDecisionMail, decideRegistration, findAddressee, findDecidable } from '../domain/registrations/decide.ts';
import type { Registration, RegistrationDecision } from '../domain/registrations/registration.ts';
import type { Repositories } from '../domain/repositories.ts';
import { passwordPage } from '../domain/users/password-links.ts';
import type { User } from '../domain/users/user.ts';
import { changeContext, type HandlerContext, type OperationHandler } from './context.ts';
import { registrationView } from './views/registration.ts';
import { totals } from './views/user.ts';

export const get_registrations: OperationHandler<'get_registrations'> = async ({ query }, context) => {
  const { page, per_page: perPage, status, user_id: userId, search } = query;
  const filter = {
    ...(status !== undefined && { status }),
    ...(userId !== undefined && { userId }),
    ...(search !== undefined && { search }),
  };
  const { items, total, users } = await context.storage.read(async (db) => {
    const found = await db.registrations.page(filter, { page, perPage });
    return { ...found, users: await db.users.byIds(found.items.flatMap((registration) => registration.userId ?? [])) };
  });
  const userOf = new Map(users.map((user) => [user.id, user]));
  const body = items.map((registration) => registrationView(registration, userOf.get(registration.userId ?? 0) ?? null, context));
  return { status: 200, body, headers: totals(total, perPage), cacheable: true };
};

export const get_registrations_id: OperationHandler<'get_registrations_id'> = async ({ path }, context) => {
  const { registration, user } = await context.storage.read(async (db) => {
    const found = await db.registrations.byId(path.id);
    if (!found) throw new ApiError('svc_api_not_found');
    return { registration: found, user: await findApplicant(db, found) };
  });
  return { status: 200, body: registrationView(registration, user, context) };
};

export const post_registrations_id_preview: OperationHandler<'post_registrations_id_preview'> = async ({ path, body }, context) => {
  const { status, message = '' } = body;
  const change = changeContext(context);
  const { seen, isInvited } = await context.storage.read(async (db) => {
    const found = await findDecidable(db, path.id, status);
    const addressee = await findAddressee(db, found, change);
    return { seen: { ...found, email: addressee.email }, isInvited: addressee.isInvited };
  });
  // The mail itself has a token, which is issued with the decision.
  const passwordPath = isInvited ? passwordPage('…') : null;
  const { from, to, subject, text } = composeDecisionMail(seen, { to: status, message, passwordPath }, change);
  return { status: 200, body: { from, to, subject, text } };
};

export const post_registrations_id_status: OperationHandler<'post_registrations_id_status'> = async ({ path, body }, context) => {
  const { status: to, message = '', send_email: sendEmail } = body;
  const { storage } = context;
  const seen = await storage.read((db) => findDecidable(db, path.id, to));
  await requireSiteApproval(seen, to, context);
  const { registration, user } = await storage.write(async (transaction) => {
    const decided = await decideRegistration(
      transaction,
      seen,
      { to, message, sendEmail },
      { ...changeContext(context), random: context.random },
    );
    return { registration: decided, user: await findApplicant(transaction, decided) };
  });
  return { status: 200, body: registrationView(registration, user, context) };
};

const findApplicant = async ({ users }: Repositories, { userId }: Registration): Promise<User | null> =>
  userId === null ? null : users.byId(userId);

/**
 * Called before the transaction: the site's code may take seconds or call this API, other writers on SQLite would wait for it, and a
 * transaction may run twice. Another decision in between makes this one fail with a conflict.
 */
async function requireSiteApproval(
  registration: Registration,
  decision: RegistrationDecision,
  { site, caller }: HandlerContext,
): Promise<void> {
  const { id: registrationId, email, displayName, couponCode } = registration;
  const review = { registrationId, decision, applicant: { email, displayName }, couponCode, decidedBy: caller.user.id };
  const refusal = await site.beforeRegistration(review);
  if (refusal) throw new ApiError('svc_api_not_updated', refusal.reason === null ? {} : { message: refusal.reason });
}
