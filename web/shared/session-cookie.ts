/** Scripts of this site can read this cookie. It exists as long as there is a session. Over HTTPS its name begins with `__Host-`. */
export const csrfToken = (): string => readCookie('__Host-svc_csrf') ?? readCookie('svc_csrf') ?? '';

const readCookie = (name: string): string | undefined => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1];

/** Fails if the session has not ended. */
export async function endSession(): Promise<void> {
  const response = await fetch('/sign-out', { method: 'POST', body: new URLSearchParams({ token: csrfToken() }) });
  if (!response.ok && csrfToken() !== '') throw new Error(`The sign-out was answered with ${response.status}.`);
}
