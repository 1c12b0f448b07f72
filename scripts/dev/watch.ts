import { type FSWatcher, watch } from 'node:fs';
import { filesBelow } from './rooms.ts';

/** An editor saves in several steps, and "save all" saves several files. They are one change. */
const quietMs = 40;

/** Tells which files came, changed or went below these places, once it is quiet again, and when the first of them did. */
export class Watch {
  readonly #places: readonly string[];
  readonly #changed: (files: string[], sinceMs: number) => void;
  readonly #folders = new Map<string, FSWatcher>();
  #files: Map<string, string>;
  #timer: NodeJS.Timeout | undefined;
  #since: number | undefined;

  constructor(places: readonly string[], changed: (files: string[], sinceMs: number) => void) {
    this.#places = places;
    this.#changed = changed;
    this.#files = this.#look();
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  /** Whatever the system says only means that it is worth to look: what it says differs from one to the next. */
  #look(): Map<string, string> {
    return filesBelow(this.#places, (folder) => {
      if (!this.#folders.has(folder)) this.#listen(folder);
    });
  }

  #listen(folder: string): void {
    const watcher = watch(folder, () => this.#soon());
    const end = (): void => {
      watcher.close();
      this.#folders.delete(folder);
      this.#soon();
    };
    // The folder went.
    watcher.on('error', end);
    this.#folders.set(folder, watcher);
  }

  #soon(): void {
    this.#since ??= performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#compare(), quietMs);
  }

  #compare(): void {
    const since = this.#since ?? performance.now();
    this.#since = undefined;
    const before = this.#files;
    this.#files = this.#look();
    const all = new Set([...before.keys(), ...this.#files.keys()]);
    const changed = [...all].filter((file) => before.get(file) !== this.#files.get(file));
    if (changed.length > 0) this.#changed(changed.sort(), since);
  }
}
