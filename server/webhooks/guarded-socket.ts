import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { hostOf, portOf } from '../../domain/webhooks/url-rules.ts';
import { connectFailure, SendingError, tlsFailure } from './failure.ts';

export interface Destination {
  url: URL;
  /** The checked addresses; no others are tried. */
  addresses: readonly string[];
  /** Called again with the address that the socket is connected to. */
  isAllowed: (address: string) => boolean;
  /** Certificates to trust instead of the machine's own, for tests. */
  authorities?: string[];
}

/** Timeout of one of several addresses before the next is tried. */
const attemptMilliseconds = 1500;

/** Opens a connection to one of the addresses, with TLS for https. An abort destroys it. */
export async function openGuardedSocket(destination: Destination, signal: AbortSignal): Promise<Socket> {
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
      // Checked on the socket too, because this is the address that the bytes are sent to, whatever was resolved before.
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
    // Explicit, so that no environment variable disables it.
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
