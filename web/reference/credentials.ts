import { csrfToken } from '../shared/session-cookie.ts';

/** How calls from this page are authenticated. */
export type Credential =
  | { kind: 'none' }
  | { kind: 'key'; token: string }
  | { kind: 'basic'; login: string; password: string }
  | { kind: 'session' };

const storageKey = 'reference-credential';

export const hasSession = (): boolean => csrfToken() !== '';

/** Held in memory. The tab's storage holds it only if the reader chose so, and no URL ever does. */
let current: Credential = readStored() ?? (hasSession() ? { kind: 'session' } : { kind: 'none' });
const listeners: (() => void)[] = [];

function readStored(): Credential | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Credential | null;
  } catch {
    return null;
  }
}

export const currentCredential = (): Credential => current;

export function setCredential(credential: Credential, { isStored = false } = {}): void {
  current = credential;
  try {
    if (isStored) sessionStorage.setItem(storageKey, JSON.stringify(credential));
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Storage is blocked: the credential lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export const onCredentialChange = (listener: () => void): void => void listeners.push(listener);

function headersOf(credential: Credential): Record<string, string> {
  if (credential.kind === 'key') return { Authorization: `Bearer ${credential.token}` };
  if (credential.kind === 'basic') return { Authorization: `Basic ${base64(`${credential.login}:${credential.password}`)}` };
  return credential.kind === 'session' ? { 'X-Svc-CSRF': csrfToken() } : {};
}

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

/** Sends the cookie with the session credential only, so that a key shows what the key may do. */
export function authorizedFetch(url: string, options: RequestInit = {}, credential: Credential = current): Promise<Response> {
  const headers = { ...(options.headers as Record<string, string> | undefined), ...headersOf(credential) };
  return fetch(url, { cache: 'no-store', ...options, headers, credentials: credential.kind === 'session' ? 'same-origin' : 'omit' });
}

interface Me {
  user: { display_name: string };
  access_level: string;
  auth: { scopes: string[] | null };
}

/** Asks the service whose credential it is, or why it is refused. The text is for the reader. */
export async function checkCredential(basePath: string, credential: Credential): Promise<{ isAccepted: boolean; text: string }> {
  try {
    const response = await authorizedFetch(`${basePath}/me`, {}, credential);
    if (!response.ok) return { isAccepted: false, text: ((await response.json()) as { message: string }).message };
    const { user, access_level, auth } = (await response.json()) as Me;
    const scopes = auth.scopes ? ` · ${auth.scopes.join(', ') || 'no scopes'}` : '';
    return { isAccepted: true, text: `${user.display_name} · ${access_level}${scopes}` };
  } catch {
    return { isAccepted: false, text: 'The service is unreachable, or the credential contains characters that cannot be sent.' };
  }
}
