import type { IncomingMessage } from 'node:http';
import { plainAddress } from '../http/trusted-proxies.ts';

/** The parts of a request that decide it. */
export interface SessionRequest {
  req: Pick<IncomingMessage, 'headers' | 'httpVersion'> & { socket: { remoteAddress?: string | undefined } };
  state: { isSecure: boolean };
}

/** Whether passwords of people and sessions are accepted: over HTTPS, where the environment allows plain HTTP, and on this machine. */
export const acceptsSession = (request: SessionRequest, allowPlainHttp: boolean): boolean =>
  request.state.isSecure || allowPlainHttp || isOnThisMachine(request);

const loopbackAddress = /^(?:127\.\d+\.\d+\.\d+|::1)$/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const forwardingHeader = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-original-.*|true-client-ip|cf-.*)$/;

/**
 * Whether nothing of the request has left this machine. A page of another site that lets its own name lead to 127.0.0.1 sends that name as
 * the host. A proxy on this machine adds a header, or uses HTTP/1.0 as older versions of nginx do; one that does neither is not recognised, so
 * the guide about production sets the headers.
 */
const isOnThisMachine = ({ req: { headers, httpVersion, socket } }: SessionRequest): boolean =>
  loopbackAddress.test(plainAddress(socket.remoteAddress ?? '')) &&
  loopbackHost.test(headers.host ?? '') &&
  httpVersion === '1.1' &&
  !Object.keys(headers).some((name) => forwardingHeader.test(name));
