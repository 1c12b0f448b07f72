import { connect, type Socket } from 'node:net';
import { waitUntil } from './running-service.ts';

/** Sends a request without its body, and resolves when the service has read the headers. */
export async function sendPartialRequest(
  { hostname, port }: URL,
  token: string,
): Promise<{ socket: Socket; answer(): string; finish(): void }> {
  const body = JSON.stringify({ scopes: ['read'] });
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const headers = [`Authorization: Bearer ${token}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
  socket.write(['POST /api/v2/keys HTTP/1.1', `Host: ${hostname}`, ...headers, 'Expect: 100-continue', '', ''].join('\r\n'));
  await waitUntil(30_000, async () => answer.startsWith('HTTP/1.1 100 '));
  return { socket, answer: () => answer, finish: () => socket.write(body) };
}

/** Whether the port refuses connections. */
export const isPortClosed = ({ hostname, port }: URL): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });
