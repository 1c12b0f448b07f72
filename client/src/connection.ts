import { removeTrailingSlash } from 'openapi-fetch';
import { type RetryPolicy, repeating } from './retry.ts';

/** Who is calling: at most one of these. */
type Credentials =
  | { readonly token?: never; readonly basic?: never; readonly session?: never }
  /** An API key: `svc_…`. */
  | { readonly token: string; readonly basic?: never; readonly session?: never }
  /** A login or email with an application password. */
  | { readonly basic: { readonly login: string; readonly password: string }; readonly token?: never; readonly session?: never }
  /**
   * The person who is signed in to the service with this browser. The token against forged requests is read from the service's cookie; a page
   * of another origin cannot read that, and gives it by `csrf`.
   */
  | { readonly session: true | { readonly csrf: () => string | undefined }; readonly token?: never; readonly basic?: never };

export type ApiOptions = Credentials & {
  /** Up to the version: `https://shop.example/api/v2`. Without it, the origin of the page. */
  readonly baseUrl?: string;
  /** Instead of the global one: for tests, proxies, logging. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** What to do when the service asks to wait. `false`: nothing. */
  readonly retry?: RetryPolicy | false;
};

/** Where the service is, and a way to ask it as whoever is calling. */
export interface Connection {
  readonly baseUrl: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

const page = globalThis as { document?: { cookie: string }; location?: { href: string } };

export function connect(options: ApiOptions): Connection {
  const { baseUrl = '/api/v2', token, basic, session, fetch: send = (request) => fetch(request), retry } = options;
  const authorization = token ? `Bearer ${token}` : basic && `Basic ${base64(`${basic.login}:${basic.password}`)}`;
  const readCsrf = session && (session === true ? csrfCookie : session.csrf);
  const repeat = repeating(send, retry);
  return {
    // In a browser a path will do; elsewhere this throws on what is no URL, with the text that was given.
    baseUrl: removeTrailingSlash(new URL(baseUrl, page.location?.href).href),
    fetch(given) {
      const request = new Request(given, { credentials: session ? 'include' : 'omit' });
      if (authorization) request.headers.set('Authorization', authorization);
      const csrf = readCsrf?.();
      if (csrf) request.headers.set('X-Svc-CSRF', csrf);
      return repeat(request);
    },
  };
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

const csrfCookie = (): string | undefined => page.document?.cookie.match(/svc_csrf=([^;]+)/)?.[1];
