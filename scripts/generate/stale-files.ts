import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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

/** Throws with a sentence for each file that differs or that nothing makes, and with the given consequence. */
export function requireCurrent({ folder, source, contents }: DerivedFolder, ...consequence: string[]): void {
  const remedy = 'Run `npm run generate` and commit what it writes.';
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const leftOver = names.map((name) => path.posix.join(folder, name)).filter((file) => !(file in contents));
  const sentences = [
    ...findStale(contents).map((file) => `${file} does not follow from ${source}. ${remedy}`),
    ...leftOver.map((file) => `${file} follows from nothing. Delete it.`),
  ];
  if (sentences.length > 0) throw new Error([...sentences, ...consequence].join('\n'));
}

/** Writes every file beside its place first: a full disk leaves all of them as they were. */
export function replaceFiles(contents: FileContents): string[] {
  const stale = findStale(contents);
  const besides = stale.map((file) => path.join(path.dirname(file), `.${path.basename(file)}.tmp`));
  try {
    for (const [at, file] of stale.entries()) writeFileSync(besides[at] as string, contents[file] ?? '');
    for (const [at, file] of stale.entries()) renameSync(besides[at] as string, file);
  } catch (error) {
    for (const beside of besides) rmSync(beside, { recursive: true, force: true });
    throw error;
  }
  return stale;
}

/** With `--check` on the command line it only compares. What is not current is written if `allow` does not throw. */
export async function updateFolder(derived: DerivedFolder, allow = async (): Promise<void> => {}): Promise<void> {
  const { folder, contents } = derived;
  if (process.argv.includes('--check')) requireCurrent(derived);
  if (findStale(contents).length > 0) await allow();
  mkdirSync(folder, { recursive: true });
  const written = replaceFiles(contents);
  console.log(written.length > 0 ? `wrote ${written.join(', ')}` : `${folder}/ is current (${Object.keys(contents).length} files)`);
}
