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
