import { domainToASCII } from 'node:url';
import { isLoopbackAddress } from '../../domain/webhooks/url-rules.ts';

export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise STARTTLS where the server offers it, and always (`requireTls`) before a password. */
  secure: boolean;
  requireTls: boolean;
  login: { user: string; pass: string } | null;
}

const defaultPorts: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };
const form = 'It must be smtp://host, smtps://host or either with user:password@ and :port';

/** @throws an error that says what is wrong without quoting the URL, which may hold a password. */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const defaultPort = url && defaultPorts[url.protocol];
  const host = url ? parseHost(url) : '';
  if (!url || defaultPort === undefined || host === '' || url.port === '0') throw new Error(form);
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') throw new Error(`${form}, and nothing after that`);
  const login = parseLogin(url);
  return {
    host,
    port: url.port === '' ? defaultPort : Number(url.port),
    secure: url.protocol === 'smtps:',
    requireTls: login !== null && host !== 'localhost' && !isLoopbackAddress(host),
    login,
  };
}

/** Empty for what is no host name. */
const parseHost = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : domainToASCII(decode(hostname)));

function parseLogin(url: URL): SmtpServer['login'] {
  if (url.username === '' && url.password === '') return null;
  if (url.username === '' || url.password === '') throw new Error('It has a user or a password, but not both');
  return { user: decode(url.username), pass: decode(url.password) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('A percent sign in it must be written %25');
  }
}
