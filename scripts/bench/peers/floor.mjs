// node:http with a constant response of a coupon's size: the least that a server on Node.js can cost.
import { createServer } from 'node:http';

const body = Buffer.from(JSON.stringify({ of: 'x'.repeat(1000) }));
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`));
