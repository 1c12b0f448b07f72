import { domainToASCII } from 'node:url';
import { isLoopbackAddress } from '../../domain/webhooks/public-address.ts';

/** Where mails are handed in. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte. Without it TLS is used where the server offers it, and must be wherever a password is sent. */
  secure: boolean;
  requireTls: boolean;
  login: { user: string; pass: string } | null;
}

const defaultPorts: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };
const form = 'It must be smtp://host, smtps://host or either with user:password@ and :port';

/** @throws an error that says what is wrong, never what was given: a password may stand in it */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const defaultPort = url && defaultPorts[url.protocol];
  const host = url ? hostOf(url) : '';
  if (!url || defaultPort === undefined || host === '' || url.port === '0') throw new Error(form);
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') throw new Error(`${form}, and nothing after that`);
  const login = loginOf(url);
  return {
    host,
    port: url.port === '' ? defaultPort : Number(url.port),
    secure: url.protocol === 'smtps:',
    requireTls: login !== null && !isThisMachine(host),
    login,
  };
}

/** As name servers know it; empty for what is no name. */
const hostOf = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : domainToASCII(decoded(hostname)));

function loginOf(url: URL): SmtpServer['login'] {
  if (url.username === '' && url.password === '') return null;
  if (url.username === '' || url.password === '') throw new Error('It has a user or a password, but not both');
  return { user: decoded(url.username), pass: decoded(url.password) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('A percent sign in it must be written %25');
  }
}

const isThisMachine = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host);
