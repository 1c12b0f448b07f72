/** How calls from this page identify themselves. */
export type Credential =
  | { kind: 'none' }
  | { kind: 'key'; token: string }
  | { kind: 'basic'; login: string; password: string }
  | { kind: 'session' };

const place = 'reference-credential';

const cookie = (name: string): string | undefined =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** The cookie that only scripts of this site can read, and that says that there is a session. */
export const csrfToken = (): string => cookie('svc_csrf') ?? '';

export const hasSession = (): boolean => csrfToken() !== '';

/** In memory, and in the tab's own storage only where the reader asked for it. Never in an address. */
let current: Credential = kept() ?? (hasSession() ? { kind: 'session' } : { kind: 'none' });
const listeners: (() => void)[] = [];

function kept(): Credential | null {
  try {
    const text = sessionStorage.getItem(place);
    return text === null ? null : (JSON.parse(text) as Credential);
  } catch {
    return null;
  }
}

export const credential = (): Credential => current;

export function useCredential(chosen: Credential, isKept: boolean): void {
  current = chosen;
  try {
    if (isKept) sessionStorage.setItem(place, JSON.stringify(chosen));
    else sessionStorage.removeItem(place);
  } catch {
    // Nothing is kept here, then.
  }
  for (const listener of listeners) listener();
}

export const onCredential = (listener: () => void): void => void listeners.push(listener);

function headersOf(chosen: Credential): Record<string, string> {
  if (chosen.kind === 'key') return { Authorization: `Bearer ${chosen.token}` };
  if (chosen.kind === 'basic') return { Authorization: `Basic ${base64(`${chosen.login}:${chosen.password}`)}` };
  return chosen.kind === 'session' ? { 'X-Svc-CSRF': csrfToken() } : {};
}

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

/** The cookie goes along only with calls of the session: a key is to show what a key may do. */
export function authorisedFetch(address: string, options: RequestInit = {}, chosen: Credential = current): Promise<Response> {
  const headers = { ...(options.headers as Record<string, string> | undefined), ...headersOf(chosen) };
  return fetch(address, { cache: 'no-store', ...options, headers, credentials: chosen.kind === 'session' ? 'same-origin' : 'omit' });
}

interface Me {
  user: { display_name: string };
  access_level: string;
  auth: { scopes: string[] | null };
}

/** Who the service takes the credential for, or why it does not. */
export async function whoIs(basePath: string, chosen: Credential): Promise<{ isKnown: boolean; text: string }> {
  try {
    const answer = await authorisedFetch(`${basePath}/me`, {}, chosen);
    if (!answer.ok) return { isKnown: false, text: ((await answer.json()) as { message: string }).message };
    const { user, access_level, auth } = (await answer.json()) as Me;
    return {
      isKnown: true,
      text: `${user.display_name} · ${access_level}${auth.scopes ? ` · ${auth.scopes.join(', ') || 'no scopes'}` : ''}`,
    };
  } catch {
    return { isKnown: false, text: 'This cannot be sent: look for characters that do not belong into a credential.' };
  }
}
