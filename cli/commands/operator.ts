import type { Caller } from '../../domain/caller.ts';
import type { User } from '../../domain/users/user.ts';

/**
 * Whoever runs this command line holds the database itself, so no right is denied. But the operator of a machine is no user of the
 * program, and `created_by` and the change feed name users: there, the operator acts as the user whose key it is.
 */
export const operatorAs = (user: User): Caller => ({
  user: { ...user, role: 'administrator' },
  method: 'session',
  keyId: null,
  scopes: null,
});

/** For what belongs to nobody any more. Decisions, "Records": actor 0 is the system. */
export const operatorAsNobody: Caller = operatorAs({
  id: 0,
  login: '',
  email: '',
  displayName: '',
  role: 'administrator',
  parentId: null,
  registeredAt: 0,
});
