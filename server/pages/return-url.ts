/** Where a person wants to be after signing in: a place on the reference page. Anywhere else, they could be sent astray by a link. */
export const parseReturnUrl = (given: unknown): string | null =>
  typeof given === 'string' && /^\/docs(#[\w.-]{1,100})?$/.test(given) ? given : null;
