import { isAffiliate } from '../domain/affiliates/is-affiliate.ts';
import { updateProfile } from '../domain/users/profile.ts';
import { callerIsAdmin, hasScope } from '../domain/users/user.ts';
import { apiVersion, type OperationId, operations } from '../generated/operations.ts';
import type { OperationHandler } from './context.ts';
import { couponView } from './views/coupon.ts';
import { userView } from './views/user.ts';

/** As the contract says. */
const maxCoupons = 100;

export const get_me: OperationHandler<'get_me'> = async (_request, { caller, settings, storage, mayCall }) => {
  const coupons = await storage.query((db) => db.coupons.newestOf([caller.user.id], maxCoupons));
  const isOne = await storage.query((db) => isAffiliate(db, caller.user, coupons.length > 0));
  const isAdmin = callerIsAdmin(caller);
  const { method, keyId, scopes } = caller;
  const body = {
    user: userView(caller.user, caller),
    is_admin: isAdmin,
    is_affiliate: isOne,
    access_level: isAdmin ? ('admin' as const) : isOne ? ('affiliate' as const) : ('user' as const),
    auth: { method, key_id: keyId, scopes: scopes && [...scopes] },
    coupons: hasScope(caller, 'read') ? coupons.map((coupon) => couponView(coupon, settings)) : [],
    operations: (Object.keys(operations) as OperationId[]).filter((operationId) => mayCall(operationId, isOne)),
    api_version: apiVersion,
    edition: settings.edition,
    timezone: settings.store.timezone,
    currency: settings.store.currency,
  };
  return { status: 200, body, cacheable: true };
};

export const patch_me_profile: OperationHandler<'patch_me_profile'> = async ({ body }, { caller, storage }) => {
  const { display_name, phone, website } = body;
  const profile = { ...(phone !== undefined && { phone }), ...(website !== undefined && { website }) };
  const after = await storage.write((transaction) => updateProfile(transaction, caller.user, { displayName: display_name, profile }));
  return {
    status: 200,
    body: { display_name: after.displayName, phone: after.profile.phone ?? '', website: after.profile.website ?? '' },
  };
};
