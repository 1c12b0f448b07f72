/** Scripts of this site can read this cookie. It exists as long as there is a session. */
export const csrfToken = (): string => /(?:^|; )svc_csrf=([^;]*)/.exec(document.cookie)?.[1] ?? '';

export const endSession = (): Promise<Response> =>
  fetch('/sign-out', { method: 'POST', body: new URLSearchParams({ token: csrfToken() }) });
