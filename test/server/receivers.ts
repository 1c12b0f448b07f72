import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { UrlRules, WebhookMessage } from '../../domain/webhooks/delivery.ts';

/** As in environment `local`, where a test's own receivers can be reached. */
export const localRules: UrlRules = { allowPlainHttpAndLoopback: true, ports: [443] };

export interface Receiver {
  port: number;
  /** The number of connections, and what arrived before the response. */
  connections: number;
  received: string;
  /** Ends when the sender has let go of every connection. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

type Behaviour = (socket: Socket) => void;

/** A receiver that does with each connection whatever it likes, from the first byte on. */
export async function receiver(behave: Behaviour, certificate?: TlsOptions): Promise<Receiver> {
  const open = new Set<Socket>();
  const held = new Set<Promise<unknown>>();
  const server: Server = certificate === undefined ? createServer({ allowHalfOpen: true }) : createTlsServer(certificate);
  const state: Receiver = {
    port: 0,
    connections: 0,
    received: '',
    idle: async () => void (await Promise.all(held)),
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  server.on('connection', (socket: Socket) => {
    state.connections += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    held.add(letGo(socket));
  });
  server.on(certificate === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => (state.received += String(bytes)));
    behave(socket);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.port = (server.address() as AddressInfo).port;
  return state;
}

const letGo = (socket: Socket): Promise<unknown> => Promise.race([once(socket, 'close'), once(socket, 'end')]).catch(() => null);

/** Waits for the request and then answers exactly this text, leaving the connection open. */
export const says =
  (text: string | Buffer): Behaviour =>
  (socket) =>
    socket.once('data', () => socket.write(text));

export const messageTo = (url: string): WebhookMessage => ({
  url,
  headers: { 'X-Svc-Event': 'ping' },
  body: '{"event":"ping","data":{"message":"Grüße"}}',
});
