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
export async function abortBody(service: TestService, path: string, headers: Record<string, string> = {}) {
  const { hostname, port, host } = new URL(service.origin);
  const first = service.log.length;
  const lines = () => service.log.slice(first).map((line) => JSON.parse(line) as LogLine);
  const request = () => lines().find((line) => line.path === path);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = Object.entries({ Host: host, 'Content-Length': '100', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n{"a`);
  socket.on('error', () => {});
  await waitUntil(10_000, async () => request() !== undefined);
  socket.destroy();
  return { status: request()?.status, level: Math.max(...lines().map(({ level }) => level)) };
}
