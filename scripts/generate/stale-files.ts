import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** By the path of the file. */
export type FileContents = Readonly<Record<string, string>>;

/** The contents of one folder, and what they follow from. */
export interface DerivedFolder {
  folder: string;
  source: string;
  contents: FileContents;
}

const findStale = (contents: FileContents): string[] =>
  Object.keys(contents).filter((file) => !existsSync(file) || readFileSync(file, 'utf8') !== contents[file]);

/** Throws with a sentence for each file that differs, and with the given consequence. */
export function requireCurrent({ source, contents }: DerivedFolder, ...consequence: string[]): void {
  const remedy = 'Run `npm run generate` and commit what it writes.';
  const sentences = findStale(contents).map((file) => `${file} does not follow from ${source}. ${remedy}`);
  if (sentences.length > 0) throw new Error([...sentences, ...consequence].join('\n'));
}

/** With `--check` on the command line it only compares. */
export function updateFolder(derived: DerivedFolder): void {
  const { folder, contents } = derived;
  if (process.argv.includes('--check')) requireCurrent(derived);
  const stale = findStale(contents);
  mkdirSync(folder, { recursive: true });
  for (const file of stale) writeFileSync(file, contents[file] ?? '');
  console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : `${folder}/ is current (${Object.keys(contents).length} files)`);
}
