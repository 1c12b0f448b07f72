import { once } from 'node:events';
import { connect } from 'node:net';
import { waitUntil } from '../cli/running-service.ts';
import type { TestService } from './service.ts';

interface LogLine {
  level: number;
  path?: string;
  status?: number;
}

/** Closes the connection in the middle of a body. Returns the status that is logged, and the highest level of a log line. */
export async function abortBody(service: TestService, path: string, headers: Record<string, string> = {}, start: string | Buffer = '{"a') {
  const { hostname, port, host } = new URL(service.origin);
  const first = service.log.length;
  const lines = () => service.log.slice(first).map((line) => JSON.parse(line) as LogLine);
  const request = () => lines().find((line) => line.path === path);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = Object.entries({ Host: host, 'Content-Length': '100', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n`);
  socket.end(start);
  socket.on('error', () => {});
  await waitUntil(10_000, async () => request() !== undefined);
  socket.destroy();
  return { status: request()?.status, level: Math.max(...lines().map(({ level }) => level)) };
}

interface CompleteRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a complete request, and disconnects while the service handles it: its hit of a rate limit is held until the connection is closed. */
export async function disconnectDuring(service: TestService, { method = 'POST', path, headers = {}, body = '' }: CompleteRequest) {
  const { counters } = service.storage;
  const { hit } = counters;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const reached = new Promise<void>((resolve) => {
    counters.hit = async (...args) => {
      counters.hit = hit;
      resolve();
      await held;
      return hit.apply(counters, args);
    };
  });
  const { hostname, port, host } = new URL(service.origin);
  const socket = connect(Number(port), hostname);
  const all = { Host: host, 'Content-Length': String(Buffer.byteLength(body)), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
  await reached;
  socket.destroy();
  await once(socket, 'close');
  // The service reads the end of the connection before this request, which began after it.
  await fetch(`${service.origin}/healthz`);
  release();
}
