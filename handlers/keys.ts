import { dayOf } from '../domain/dates.ts';
import { createKey, revokeKey } from '../domain/keys/manage.ts';
import type { OperationHandler } from './context.ts';
import { keyView } from './views/key.ts';
import { totals } from './views/user.ts';

export const get_keys: OperationHandler<'get_keys'> = async ({ query }, context) => {
  const { page, per_page: perPage, user_id: userId, status } = query;
  const today = dayOf(context.now, context.settings.store.timezone);
  const filter = { today, ...(userId !== undefined && { userId }), ...(status !== undefined && { status }) };
  const { items, total, users } = await context.storage.read(async ({ keys, users }) => {
    const found = await keys.page(filter, { page, perPage });
    return { ...found, users: await users.byIds(found.items.map((key) => key.userId)) };
  });
  const userOf = new Map(users.map((user) => [user.id, user]));
  const body = items.map((key) => keyView(key, userOf.get(key.userId) ?? null, context));
  return { status: 200, body, headers: totals(total, perPage), cacheable: true };
};

export const post_keys: OperationHandler<'post_keys'> = async ({ body }, context) => {
  const { user_id: userId, description, scopes, expires: expiresDay } = body;
  const request = { description, scopes, ...(userId !== undefined && { userId }), ...(expiresDay !== undefined && { expiresDay }) };
  const creation = { now: context.now, zone: context.settings.store.timezone, random: context.random };
  const { key, user, token } = await context.storage.write((transaction) => createKey(transaction, context.caller, request, creation));
  return { status: 201, body: { ...keyView(key, user, context), token, notice: 'Keep this token now. It cannot be shown again.' } };
};

export const delete_keys_id: OperationHandler<'delete_keys_id'> = async ({ path }, { storage, caller, now }) => {
  await storage.write((transaction) => revokeKey(transaction, caller, path.id, now));
  return { status: 200, body: { revoked: true } };
};
