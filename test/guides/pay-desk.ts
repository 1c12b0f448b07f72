import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fake of the payment provider that the example module of the guide calls. */
export interface PayDesk {
  url: string;
  orders: { headers: IncomingHttpHeaders; order: Record<string, unknown> }[];
  /** How it handles the next order. `disconnects`: it reads the order and closes the connection. */
  behavior: 'pays' | 'refuses' | 'disconnects';
  close(): void;
}

export async function openPayDesk(): Promise<PayDesk> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    desk.orders.push({ headers: request.headers, order: JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown> });
    if (desk.behavior === 'disconnects') request.socket.destroy();
    else if (desk.behavior === 'refuses') response.writeHead(422).end('{}');
    else response.writeHead(201).end(JSON.stringify({ number: `PD-${desk.orders.length}` }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const desk: PayDesk = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`,
    orders: [],
    behavior: 'pays',
    close: () => void server.close(),
  };
  return desk;
}
