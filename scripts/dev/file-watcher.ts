import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { sourceFolders } from '../shared/sources.ts';

export const watchedPlaces = ['openapi', 'redocly.yaml', ...sourceFolders, 'web'];

/** Editors save in several steps, and "save all" saves several files: changes that follow within this time are one change. */
const quietMs = 40;

const isTemporary = (name: string): boolean => /^[.#]|~$|\.(swp|tmp)$|^\d+$/.test(name);

/** The files below these files and folders, each with a fingerprint that a save changes. Calls `onFolder` for every folder that has one. */
export function listFiles(places: readonly string[], onFolder: (folder: string) => void = () => {}): Map<string, string> {
  const files = new Map<string, string>();
  const visit = (place: string): void => {
    const stat = statSync(place, { throwIfNoEntry: false });
    if (stat) onFolder(stat.isDirectory() ? place : path.posix.dirname(place));
    if (stat?.isFile()) files.set(place, `${stat.mtimeMs} ${stat.size} ${stat.ino}`);
    if (stat?.isDirectory()) for (const name of readdirSync(place)) if (!isTemporary(name)) visit(path.posix.join(place, name));
  };
  for (const place of places) visit(place);
  return files;
}

/**
 * Reports files that were created, changed or deleted, with the time of the first event. Events only trigger a comparison of fingerprints,
 * because their content differs between systems. One watcher for each folder: `recursive` opens one for each file on Linux.
 */
export class FileWatcher {
  readonly #places: readonly string[];
  readonly #onChange: (files: string[], sinceMs: number) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #files: Map<string, string>;
  #timer: NodeJS.Timeout | undefined;
  #sinceMs: number | undefined;

  constructor(places: readonly string[], onChange: (files: string[], sinceMs: number) => void) {
    this.#places = places;
    this.#onChange = onChange;
    this.#files = this.#scan();
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #scan(): Map<string, string> {
    return listFiles(this.#places, (folder) => {
      if (this.#watchers.has(folder)) return;
      const watcher = watch(folder, () => this.#schedule());
      // The folder was deleted.
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
        this.#schedule();
      });
      this.#watchers.set(folder, watcher);
    });
  }

  #schedule(): void {
    this.#sinceMs ??= performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#compare(), quietMs);
  }

  #compare(): void {
    const sinceMs = this.#sinceMs ?? performance.now();
    this.#sinceMs = undefined;
    const before = this.#files;
    this.#files = this.#scan();
    const all = new Set([...before.keys(), ...this.#files.keys()]);
    const changed = [...all].filter((file) => before.get(file) !== this.#files.get(file));
    if (changed.length > 0) this.#onChange(changed.sort(), sinceMs);
  }
}
