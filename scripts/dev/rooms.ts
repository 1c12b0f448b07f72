import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** What the service is made of. */
export const rooms = ['domain', 'db', 'site', 'handlers', 'server', 'generated'] as const;

/** The command that starts it, which is compiled once. */
export const commandFolders = ['cli'] as const;

/** Everything that is looked at. */
export const watchedPlaces = ['openapi', 'redocly.yaml', ...rooms, 'web'] as const;

/** The files below these places, each with what changes when it is saved. Folders are told to `entered`. */
export function filesBelow(places: readonly string[], entered: (folder: string) => void = () => {}): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (place: string): void => {
    const stat = statSync(place, { throwIfNoEntry: false });
    if (stat?.isFile()) found.set(place, `${stat.mtimeMs} ${stat.size} ${stat.ino}`);
    if (!stat?.isDirectory()) return;
    entered(place);
    for (const name of readdirSync(place)) if (!isScratch(name)) visit(path.posix.join(place, name));
  };
  for (const place of places) visit(place);
  return found;
}

/** What editors leave beside a file while it is open. */
const isScratch = (name: string): boolean => /^[.#]|~$|\.(swp|tmp)$|^\d+$/.test(name);
