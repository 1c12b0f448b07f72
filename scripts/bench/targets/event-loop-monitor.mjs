// Loaded into the service by `--import <this file>?<socket>`: tells each connection to the socket the longest block of the event loop since
// the one before, in milliseconds.
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 1;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();

createServer((socket) => {
  const blockMs = Math.max(0, delay.max / 1e6 - resolution);
  delay.reset();
  socket.end(String(blockMs));
})
  .listen(new URL(import.meta.url).search.slice(1))
  .unref();
