// Nothing but node:http and a constant answer of a coupon's size: no server on Node.js is faster without leaving its HTTP parser.
import { createServer } from 'node:http';
import { port, sayListening } from './listen.mjs';

const body = Buffer.from(JSON.stringify({ of: 'x'.repeat(Number(process.env.BODY_BYTES ?? 900) - 9) }));
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(port, '127.0.0.1', () => sayListening(server.address()));
