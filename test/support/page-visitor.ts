import { cookiesOf } from './service.ts';

export interface VisitedPage {
  status: number;
  headers: Headers;
  html: string;
}

/** A browser without JavaScript: keeps cookies, and sends the form of the page that it has open. */
export class PageVisitor {
  readonly #origin: string;
  readonly #headers: Record<string, string>;
  readonly cookies: Record<string, string> = {};
  page: VisitedPage = { status: 0, headers: new Headers(), html: '' };

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.#origin = origin;
    this.#headers = headers;
  }

  open(address: string): Promise<VisitedPage> {
    return this.#request(address, {});
  }

  /** Sends the first form of the page with its hidden fields and these ones. */
  submit(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<VisitedPage> {
    const action = /<form method="post" action="([^"]+)"/.exec(this.page.html)?.[1];
    if (action === undefined) throw new Error(`The page has no form: ${this.page.html}`);
    const body = new URLSearchParams({ ...this.hidden(), ...fields });
    return this.#request(action, { method: 'POST', body, headers });
  }

  hidden(): Record<string, string> {
    const inputs = this.page.html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
    return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]));
  }

  /** What `submit` would send, for a request by other means. */
  toRequest(fields: Record<string, string>): { path: string; headers: Record<string, string>; body: string } {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: this.#cookieHeader() };
    const path = /<form method="post" action="([^"]+)"/.exec(this.page.html)?.[1] ?? '';
    return { path, headers, body: new URLSearchParams({ ...this.hidden(), ...fields }).toString() };
  }

  #cookieHeader(): string {
    return Object.entries(this.cookies)
      .map((pair) => pair.join('='))
      .join('; ');
  }

  async #request(address: string, request: RequestInit): Promise<VisitedPage> {
    const headers = { ...this.#headers, ...(request.headers as Record<string, string>), Cookie: this.#cookieHeader() };
    const response = await fetch(new URL(address, this.#origin), { ...request, headers, redirect: 'manual' });
    Object.assign(this.cookies, cookiesOf(response));
    this.page = { status: response.status, headers: response.headers, html: await response.text() };
    return this.page;
  }
}
