const referencePattern = /^\/docs(#[\w.-]{1,100})?$/;
const consolePattern = /^\/console(\/[\w-]{1,40}){0,4}(\?[\w.~%=&+,:@*!-]{0,1000})?$/;

/** Where to redirect after sign-in: a section of the reference page, or a page of the console. Any other URL would make the form an open redirect. */
export const parseReturnUrl = (to: unknown): string | null =>
  typeof to === 'string' && (referencePattern.test(to) || consolePattern.test(to)) ? to : null;
