import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export type Files = Readonly<Record<string, string>>;

const names = ['openapi.json', 'api.d.ts', 'operations.ts', 'transitions.ts', 'events.ts', 'client.ts'];

/** generated/, as it follows from the last contract that kept its rules. */
export class GeneratedFolder {
  #files: Files = Object.fromEntries(names.map((name) => `generated/${name}`).map((file) => [file, textOf(file) ?? '']));

  get files(): Files {
    return this.#files;
  }

  /** What we wrote ourselves is no news. */
  isAsWritten(file: string): boolean {
    return this.#files[file] !== undefined && this.#files[file] === textOf(file);
  }

  /** Touches only what differs: editors and compilers look again at everything that is written. */
  write(files: Files): void {
    this.#files = files;
    for (const [file, text] of Object.entries(files)) if (textOf(file) !== text) writeFileSync(file, text);
  }
}

const textOf = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
