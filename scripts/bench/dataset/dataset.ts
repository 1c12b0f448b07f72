import path from 'node:path';
import { copyOfDatabase, onDatabase, postgresUrl } from './postgres.ts';
import type { Engine, SizeName } from './sizes.ts';
import { copyOfFile, onFile, sqliteFile } from './sqlite.ts';

export interface Dataset {
  engine: Engine;
  size: SizeName;
  /** As DATABASE_URL takes it. */
  url: string;
}

export interface Copy extends Dataset {
  remove(): Promise<void>;
}

/** Where data sets are kept between runs. Outside of git. */
export const benchFolder = path.resolve('data/bench');

/** Made at its first use. */
export async function datasetOf(engine: Engine, size: SizeName): Promise<Dataset & { isNew: boolean }> {
  const made = await (engine === 'sqlite' ? sqliteFile(benchFolder, size) : postgresUrl(benchFolder, size));
  return { engine, size, ...made };
}

const fileOf = (url: string): string => url.replace(/^sqlite:/, '');

/** For what writes. Changed by these statements beforehand. */
export async function copyOf({ engine, size, url }: Dataset, name: string, changes: readonly string[] = []): Promise<Copy> {
  const copy = await (engine === 'sqlite' ? copiedFile(url, name) : copyOfDatabase(url, `bench_copy_${name.replaceAll('-', '_')}`));
  if (engine === 'postgres') await onDatabase(copy.url, changes);
  else
    await onFile(fileOf(copy.url), async (run) => {
      for (const change of changes) await run(change);
    });
  return { engine, size, ...copy };
}

function copiedFile(url: string, name: string): { url: string; remove: () => Promise<void> } {
  const copy = path.join(benchFolder, `copy-${name}.sqlite`);
  const remove = copyOfFile(fileOf(url), copy);
  return { url: `sqlite:${copy}`, remove: async () => remove() };
}
