import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifySignature } from '../../domain/webhooks/signature.ts';
import type { ContractClient } from './contract-client.ts';
import type { Engine } from './engines.ts';

export interface ReceivedDelivery {
  headers: IncomingHttpHeaders;
  body: string;
  /** The parsed body. */
  payload: { id: string; event: string; created: string; site: string; data: Record<string, unknown> };
}

/** A webhook receiver on this machine. */
export interface Receiver {
  url: string;
  received: ReceivedDelivery[];
  /** The status of its next responses. */
  code: number;
  close(): Promise<void>;
}

/** Closed with the engine's other resources, or by the test. */
export async function receiver(engine?: Pick<Engine, 'keep'>): Promise<Receiver> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      self.received.push({ headers: request.headers, body, payload: JSON.parse(body) });
      response.writeHead(self.code).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    code: 204,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return engine ? engine.keep(self, self.close) : self;
}

/** Whether the signature verifies with the receiver's secret. */
export const isSigned = ({ headers, body }: ReceivedDelivery, secret: string, now: number): boolean =>
  verifySignature(headers as Record<string, string>, { secret, body, now });

/** Creates a webhook as an admin. */
export async function subscribed(admin: ContractClient, url: string, events = ['*']): Promise<{ id: number; secret: string }> {
  const { status, body } = await admin.post('/webhooks', { json: { url, events } });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}
