import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { hostOf, portOf } from '../../domain/webhooks/url-rules.ts';
import { connectFailure, SendingError, tlsFailure } from './failure.ts';

export interface Destination {
  url: URL;
  /** Checked, and the only ones that are tried. */
  addresses: readonly string[];
  /** Asked once more about the address that the socket has in the end. */
  isAllowed: (address: string) => boolean;
  /** Certificates to trust beside the machine's own; tests have some. */
  authorities?: string[];
}

/** How long one of several addresses may take before the next is tried. */
const attemptMilliseconds = 1500;

/** A connection to one of the addresses, encrypted where the URL says so, on which nothing was sent yet. An abort destroys it. */
export async function openConnection(destination: Destination, signal: AbortSignal): Promise<Socket> {
  // Resolving the name may have taken longer than the timeout.
  signal.throwIfAborted();
  const plain = await openPlain(destination, signal);
  if (destination.url.protocol !== 'https:') return plain;
  return encrypted(plain, destination, signal);
}

function openPlain({ url, addresses, isAllowed }: Destination, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({
    host: hostOf(url),
    port: portOf(url),
    lookup: answering(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMilliseconds,
    signal,
  });
  return new Promise((resolve, reject) => {
    socket.on('error', (error) => reject(connectFailure(error)));
    socket.once('connect', () => {
      // The last word is the socket's: whatever was resolved and checked before, this is where the bytes would go.
      if (isAllowed(socket.remoteAddress ?? '')) return resolve(socket);
      socket.destroy();
      reject(new SendingError('blocked', 'The URL must lead to a public address.'));
    });
  });
}

function encrypted(plain: Socket, { url, authorities }: Destination, signal: AbortSignal): Promise<Socket> {
  const host = hostOf(url);
  const socket = connectTls({
    socket: plain,
    host,
    // An address is checked against the certificate as `host`; as a server name it would be against the standard.
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    // Said outright, so that no variable of the environment switches it off.
    rejectUnauthorized: true,
    ...(authorities === undefined ? {} : { ca: authorities }),
  });
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  return new Promise((resolve, reject) => {
    socket.on('error', (error) => reject(tlsFailure(error)));
    socket.once('close', () => reject(tlsFailure(null)));
    socket.once('secureConnect', () => resolve(socket));
  });
}

/** Passes the checked addresses to Node, without another DNS query. */
function answering(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, _options, done) => done(null, found);
}
