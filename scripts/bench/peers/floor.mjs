// node:http with a constant response of a coupon's size: the least that a server on Node.js can cost.
import { createServer } from 'node:http';
import { port, printListening } from './job.mjs';

const body = Buffer.from(JSON.stringify({ of: 'x'.repeat(Number(process.env.BODY_BYTES ?? 900) - 9) }));
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(port, '127.0.0.1', () => printListening(server.address()));
