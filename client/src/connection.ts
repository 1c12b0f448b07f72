import { removeTrailingSlash } from 'openapi-fetch';
import { type RetryPolicy, withRetries } from './retry.ts';

/** At most one of these. */
type Credentials =
  | { readonly token?: never; readonly basic?: never; readonly session?: never }
  /** An API key: `svc_…`. */
  | { readonly token: string; readonly basic?: never; readonly session?: never }
  /** A login or email with an application password. */
  | { readonly basic: { readonly login: string; readonly password: string }; readonly token?: never; readonly session?: never }
  /**
   * The person who is signed in to the service with this browser. The CSRF token is read from the cookie of the service. A page of another origin
   * cannot read that cookie and passes the token with `csrf`.
   */
  | { readonly session: true | { readonly csrf: () => string | undefined }; readonly token?: never; readonly basic?: never };

export type ApiOptions = Credentials & {
  /** Ends with the version: `https://shop.example/api/v2`. The origin of the page by default. */
  readonly baseUrl?: string;
  /** Replaces the global `fetch`: for tests, proxies, logging. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** When and how often a refused request is sent again. `false`: never. */
  readonly retry?: RetryPolicy | false;
};

/** The address of the service, and a `fetch` with the credentials of the caller. */
export interface Connection {
  readonly baseUrl: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

const page = globalThis as { document?: { cookie: string }; location?: { href: string } };

export function connect(options: ApiOptions): Connection {
  const { baseUrl = '/api/v2', token, basic, session, fetch: send = (request) => fetch(request), retry } = options;
  const authorization = token ? `Bearer ${token}` : basic && `Basic ${base64(`${basic.login}:${basic.password}`)}`;
  const readCsrf = session && (session === true ? csrfCookie : session.csrf);
  const sendWithRetries = withRetries(send, retry);
  return {
    baseUrl: removeTrailingSlash(absoluteUrl(baseUrl)),
    fetch(input) {
      const request = new Request(input, { credentials: session ? 'include' : 'omit' });
      if (authorization) request.headers.set('Authorization', authorization);
      const csrf = readCsrf?.();
      if (csrf) request.headers.set('X-Svc-CSRF', csrf);
      return sendWithRetries(request);
    },
  };
}

/** Browsers resolve a path against the page. */
function absoluteUrl(baseUrl: string): string {
  try {
    return new URL(baseUrl, page.location?.href).href;
  } catch {
    throw new TypeError(`baseUrl is "${baseUrl}". It must be an address such as https://shop.example/api/v2.`);
  }
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Over HTTPS its name begins with `__Host-`. */
const csrfCookie = (): string | undefined => readCookie('__Host-svc_csrf') ?? readCookie('svc_csrf');

const readCookie = (name: string): string | undefined => page.document?.cookie.match(`(?:^|; )${name}=([^;]+)`)?.[1];
