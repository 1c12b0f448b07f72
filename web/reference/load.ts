import { authorisedFetch } from './credentials.ts';
import type { OpenApi } from './openapi.ts';

/** Why there is no document, in words for the reader; `mayHelp` says whether credentials could change it. */
export class NoDocument extends Error {
  readonly mayHelp: boolean;

  constructor(message: string, mayHelp: boolean) {
    super(message);
    this.mayHelp = mayHelp;
  }
}

/** The document as the site serves it to whoever is reading. Asked for each time, and sent again only when it is another one. */
export async function loadDocument(address: string): Promise<OpenApi> {
  const answer = await authorisedFetch(address, { cache: 'no-cache' }).catch(() => {
    throw new NoDocument('The service cannot be reached.', false);
  });
  if (answer.ok) return (await answer.json()) as OpenApi;
  if (answer.status === 429)
    throw new NoDocument(`Too many requests. Try again in ${answer.headers.get('Retry-After') ?? 'some'} seconds.`, true);
  if (answer.status === 401 || answer.status === 403) throw new NoDocument('This site shows its reference to administrators only.', true);
  throw new NoDocument(`The service does not give its contract out (status ${answer.status}).`, false);
}
