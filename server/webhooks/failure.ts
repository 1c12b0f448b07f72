import type { DeliveryFailure } from '../../domain/errors.ts';

/** Why an exchange ended without an answer. Its message is for people and names no address, host or port, unlike those of node. */
export class SendingError extends Error {
  readonly failure: DeliveryFailure;

  constructor(failure: DeliveryFailure, message: string) {
    super(message);
    this.name = 'SendingFailed';
    this.failure = failure;
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Adds the error code of Node, which is a constant and discloses nothing about the network. */
const named = (sentence: string, code: string): string => (/^[A-Z0-9_]+$/.test(code) ? `${sentence} (${code})` : sentence);

export function dnsFailure(error: unknown): SendingError {
  const code = codeOf(error);
  const sentence = code === 'ENOTFOUND' || code === 'ENODATA' ? 'The host name has no address.' : 'The host name could not be resolved.';
  return new SendingError('dns', named(sentence, code));
}

export function connectFailure(error: unknown): SendingError {
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') return new SendingError('refused', 'The receiver refused the connection.');
  if (code === 'ETIMEDOUT' || code === 'ERR_SOCKET_CONNECTION_TIMEOUT')
    return new SendingError('timeout', 'The receiver did not accept the connection in time.');
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return new SendingError('refused', 'The receiver cannot be reached.');
  return new SendingError('other', named('The connection could not be opened.', code));
}

const certificateSentences: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The certificate of the receiver has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the receiver is not valid yet.',
  CERT_REVOKED: 'The certificate of the receiver was revoked.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the receiver is self-signed.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the receiver is for another host.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the receiver comes from an unknown authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate of the receiver comes from an unknown authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the receiver comes without its chain.',
};

/** Every error during the handshake is a TLS failure, a reset too. */
export function tlsFailure(error: unknown): SendingError {
  const code = codeOf(error);
  return new SendingError('tls', named(certificateSentences[code] ?? 'No encrypted connection came about with the receiver.', code));
}

/** After the connection: reset, closed early, or an answer that is not HTTP. */
export function exchangeFailure(error: unknown): SendingError {
  if (error instanceof SendingError) return error;
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') return new SendingError('other', 'The headers of the answer are too large.');
  if (code.startsWith('HPE_')) return new SendingError('other', 'The receiver did not answer in HTTP.');
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return new SendingError('other', 'The receiver closed the connection before its answer was complete.');
  return new SendingError('other', named('The exchange failed.', code));
}
