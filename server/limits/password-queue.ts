import { addressGroup, addressNetwork } from '../http/trusted-proxies.ts';
import { BoundedQueue, queueFull } from './bounded-queue.ts';

/** Hashing a password takes one of the four threads that SQLite also reads with, for some 50 ms. */
const bounds = { running: 2, waiting: 16 };

/** The other half is kept for people of whom something besides the password is known. */
const maxStrangers = (bounds.running + bounds.waiting) / 2;
const maxPerAddress = 2;
const maxPerNetwork = 8;
const maxPerUser = 2;

export interface Holder {
  address: string;
  /** The user of the session, of the link, or of the device cookie of the browser. Null for a stranger, whoever is named in the form. */
  userId: number | null;
}

/** The queue of everything that hashes a password. Attempts from many addresses cannot fill it: see the limits above. */
export class PasswordQueue {
  readonly #queue = new BoundedQueue(bounds);
  readonly #held = new Map<string, number>();

  /** @throws ApiError (503) where there is no place. */
  async run<Result>(holder: Holder, task: () => Promise<Result>): Promise<Result> {
    const limits = limitsOf(holder);
    if (limits.some(([name, max]) => (this.#held.get(name) ?? 0) >= max)) throw queueFull();
    for (const [name] of limits) this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
    try {
      return await this.#queue.run(task);
    } finally {
      for (const [name] of limits) this.#release(name);
    }
  }

  #release(name: string): void {
    const left = (this.#held.get(name) ?? 0) - 1;
    if (left > 0) this.#held.set(name, left);
    else this.#held.delete(name);
  }
}

/** The places that the holder shares with others, by name. A user has few, because an attacker may have an account, too. */
function limitsOf({ address, userId }: Holder): (readonly [name: string, max: number])[] {
  const network = addressNetwork(address);
  return [
    [addressGroup(address), maxPerAddress],
    ...(network === null ? [] : [[network, maxPerNetwork] as const]),
    userId === null ? ['strangers', maxStrangers] : [`user ${userId}`, maxPerUser],
  ];
}
