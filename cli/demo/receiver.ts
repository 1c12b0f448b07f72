import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks for the demo: answers every delivery with 204, and lists the last ones. */
export interface DemoReceiver {
  /** Where deliveries are sent to; a GET of it lists what arrived. */
  url: string;
  /** Newest first. */
  received: readonly ReceivedDelivery[];
  stop(): Promise<void>;
}

const path = '/hooks/affiliates';
const maxListed = 50;
const maxBytes = 1_048_576;

export interface ReceivedDelivery {
  date: string;
  event: string;
  body: unknown;
}

/** Listens on this port of the loopback address, or on any that is free if it is 0 or in use. */
export async function startReceiver(preferredPort: number): Promise<DemoReceiver> {
  const received: ReceivedDelivery[] = [];
  const server = createServer((request, response) => void respond(request, response, received).catch(() => response.destroy()));
  const listenOn = async (port: number): Promise<void> => void (await once(server.listen(port, '127.0.0.1'), 'listening'));
  await listenOn(preferredPort).catch(() => listenOn(0));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, received, stop };
}

async function respond(request: IncomingMessage, response: ServerResponse, received: ReceivedDelivery[]): Promise<void> {
  if (request.url !== path) return void response.writeHead(404).end();
  if (request.method === 'GET')
    return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(received, null, 2)}\n`);
  if (request.method !== 'POST') return void response.writeHead(405, { Allow: 'GET, POST' }).end();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return void response.writeHead(413, { Connection: 'close' }).end();
    chunks.push(chunk);
  }
  received.unshift({ date: new Date().toISOString(), event: String(request.headers['x-svc-event'] ?? ''), body: parseJson(chunks) });
  received.splice(maxListed);
  response.writeHead(204).end();
}

function parseJson(chunks: readonly Buffer[]): unknown {
  const text = Buffer.concat(chunks).toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
