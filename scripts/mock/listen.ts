import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** @throws an error that says what to set. */
export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65535)) throw new Error(`PORT must be a number from 0 to 65535, not "${text}".`);
  return port;
}

/** @throws an error that says what to set. */
export function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(explainListenError(error, host, port))));
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} on ${host} is in use. Set PORT to another one, or to 0 for any free one.`;
  if (error.code === 'EACCES') return `Port ${port} on ${host} is not allowed for this user. Set PORT to 1024 or higher.`;
  return `HOST "${host}" cannot be listened on (${error.code ?? error.message}). Set HOST to an address of this machine.`;
}
