import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup, plainAddress, type TrustedProxies } from '../http/trusted-proxies.ts';

/** Closes a connection of an address that has too many open, before anything of it is read. Trusted proxies may have any number. */
export class ConnectionLimit {
  readonly #open = new Map<string, number>();
  readonly #proxies: TrustedProxies;
  readonly #max: () => number;

  constructor(proxies: TrustedProxies, max: () => number) {
    this.#proxies = proxies;
    this.#max = max;
  }

  readonly accept = (socket: Socket): void => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (this.#proxies.has(address)) return;
    const group = addressGroup(address);
    const open = this.#open.get(group) ?? 0;
    if (open >= this.#max()) return void socket.destroy();
    this.#open.set(group, open + 1);
    socket.once('close', () => this.#release(group));
  };

  #release(group: string): void {
    const open = (this.#open.get(group) ?? 0) - 1;
    if (open > 0) this.#open.set(group, open);
    else this.#open.delete(group);
  }
}

/** No client sends so many requests without waiting for a response. Hundreds fit into one packet, and would all be handled at once. */
const maxPipelined = 16;

/** Closes a connection on which too many requests wait for the responses before theirs. */
export function limitPipelining(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number): number => {
    const changed = (waiting.get(socket) ?? 0) + change;
    waiting.set(socket, changed);
    return changed;
  };
  return (request, response) => {
    const { socket } = request;
    // Requests that were in the same packet as the one that closed the connection.
    if (socket.destroyed) return;
    // Node assigns the socket to a response when it is its turn.
    if (response.socket === null) {
      if (count(socket, 1) > maxPipelined) return closeUnread(socket);
      response.once('close', () => count(socket, -1));
    }
    listener(request, response);
  };
}

/**
 * `destroy` alone does not keep Node's parser from creating the other requests of the packet, with an error for each: 3 s of CPU for 90,000,
 * 0.5 s without. The parser is internal to Node; where it is missing, they are created.
 */
function closeUnread(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: () => number } };
  if (parser) parser.onIncoming = () => 0;
  socket.destroy();
}
