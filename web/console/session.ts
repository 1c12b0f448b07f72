import { signal } from '@preact/signals';
import { ApiError, createApi, isApiError } from '../../client/src/index.ts';
import { csrfToken, endSession } from '../shared/session-cookie.ts';
import type { Me } from './records.ts';

/** The signed-in person. Set before the first page is shown. */
const currentMe = signal<Me | null>(null);

/** The session of that person, by its CSRF token. */
let sessionMark = '';

export function getMe(): Me {
  if (!currentMe.value) throw new Error('The page is shown before the session is read.');
  return currentMe.value;
}

export const isServed = (...operations: string[]): boolean => operations.every((operation) => getMe().operations.includes(operation));

/** True while requests wait for a new session. */
export const isSignedOut = signal(false);

/** When a request that was refused by a rate limit is sent again, in milliseconds since the epoch. 0 if none waits. */
export const waitsUntil = signal(0);

/** A request that a rate limit holds back for longer fails. */
const longestSeconds = 90;

const channel = new BroadcastChannel('console');
let signInAgain: { promise: Promise<void>; resolve: () => void } | undefined;

/**
 * All requests that need a session wait for the same one. The page stays as it is, so that nothing that was typed is lost. A page that shows
 * nothing yet goes to the sign-in, which returns to it.
 */
export function waitForSession(): Promise<void> {
  if (!currentMe.value) location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
  if (!signInAgain) {
    let resolve = (): void => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    signInAgain = { promise, resolve };
    isSignedOut.value = true;
  }
  return signInAgain.promise;
}

/**
 * The response to a change that would be made as another person, who signed in with another tab since. Compares the token that is sent: a session
 * that begins later has another one, so the service refuses the request.
 */
async function refuseForOther({ method, headers }: Request): Promise<Response | null> {
  const token = headers.get('X-Svc-CSRF') ?? '';
  if (method === 'GET' || token === '' || token === sessionMark) return null;
  const me = await directApi.me.get().catch((error: unknown) => {
    if (isApiError(error) && error.status === 401) return null;
    throw error;
  });
  if (me && me.user.id !== currentMe.value?.user.id) {
    const message = `You are signed in as ${me.user.display_name} in another tab. Nothing was sent. Reload this page to go on.`;
    return new Response(JSON.stringify({ code: 'svc_api_forbidden', message, data: { status: 403 } }), { status: 403 });
  }
  // A new session of the same person: after another password, or another sign-in.
  if (me) sessionMark = token;
  return null;
}

/** Waits for a new session where there is none, and announces what a rate limit refused. */
export async function send(request: Request): Promise<Response> {
  const refusal = await refuseForOther(request);
  if (refusal) return refusal;
  const response = await fetch(request.clone());
  if (response.status === 401) {
    await waitForSession();
    const again = new Request(request);
    again.headers.set('X-Svc-CSRF', csrfToken());
    return send(again);
  }
  const seconds = response.status === 429 ? Number(response.headers.get('Retry-After')) : 0;
  if (seconds > 0 && seconds <= longestSeconds) waitsUntil.value = Date.now() + seconds * 1000;
  // Other requests may succeed in the meantime.
  else if (Date.now() >= waitsUntil.value) waitsUntil.value = 0;
  return response;
}

export async function readAnswer<Body>(response: Response): Promise<Body> {
  const body = await response.json().catch(() => undefined);
  if (!response.ok || body === undefined) throw new ApiError(response, body);
  return body;
}

/** Reads a file of the console that is no part of the API. */
export async function readFile(path: string): Promise<Blob> {
  const response = await send(new Request(path));
  if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined));
  return response.blob();
}

export async function sendFile(path: string, file: Blob): Promise<void> {
  const headers = { 'Content-Type': file.type, 'X-Svc-CSRF': csrfToken() };
  await readAnswer(await send(new Request(path, { method: 'POST', headers, body: file })));
}

export const deleteFile = (path: string): Promise<void> => callConsole('DELETE', path);

type Fields = Readonly<Record<string, string>>;

/** Calls an address of the console that is no part of the API. */
export async function callConsole<Body>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, fields?: Fields): Promise<Body> {
  const headers = { 'X-Svc-CSRF': csrfToken(), ...(fields && { 'Content-Type': 'application/json' }) };
  return readAnswer(await send(new Request(path, { method, headers, ...(fields && { body: JSON.stringify(fields) }) })));
}

export const postFields = (path: string, fields: Fields): Promise<void> => callConsole('POST', path, fields);

/** The server writes these into the page. */
export const storeName = document.body.dataset['store'] ?? 'Console';
export const storeLogo = document.body.dataset['logo'];

const baseUrl = document.body.dataset['api'] ?? '/api/v2';

/** Retries of the client repeat what a rate limit refused, which `waitsUntil` announces. */
export const api = createApi({ baseUrl, session: true, fetch: send, retry: { longestSeconds } });

/** Calls without waiting for a session. */
const directApi = createApi({ baseUrl, session: true, retry: false });

export async function loadMe(): Promise<void> {
  // Read before: a sign-in in between is then another session.
  sessionMark = csrfToken();
  currentMe.value = await api.me.get();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it stays in this origin
  channel.postMessage(currentMe.value.user.id);
}

/** Shows another name at once, also in the navigation. */
export function setDisplayName(name: string): void {
  const me = getMe();
  currentMe.value = { ...me, user: { ...me.user, display_name: name } };
}

/** Continues after a new sign-in in another tab. Another person gets a new page, without the data of the former. */
export async function continueSession(): Promise<void> {
  if (!signInAgain) return;
  const me = await directApi.me.get().catch(() => null);
  if (!me) return;
  if (currentMe.value && me.user.id !== currentMe.value.user.id) return location.reload();
  const { resolve } = signInAgain;
  signInAgain = undefined;
  isSignedOut.value = false;
  currentMe.value = me;
  resolve();
}

channel.addEventListener('message', ({ data: userId }: MessageEvent<number>) => {
  if (currentMe.value && currentMe.value.user.id !== userId) location.reload();
  else void continueSession();
});
addEventListener('focus', () => void continueSession());

// The browser shows a page that was left as it was, also after a sign-out.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  document.body.replaceChildren();
  location.reload();
});

/** Leaves a page without data, which is what the browser shows first when the reader goes back. */
export async function signOut(): Promise<void> {
  const waiting = signInAgain;
  // Requests that are under way are refused from now on. The page is left, so none of them asks for a new session.
  signInAgain ??= { promise: new Promise(() => {}), resolve: () => {} };
  await endSession().catch((error: unknown) => {
    signInAgain = waiting;
    throw error;
  });
  document.body.replaceChildren();
  location.assign('/sign-in?to=/console');
}
