import type { AskedProcess } from './asking.ts';
import type { ContractReader } from './contract.ts';
import type { Files } from './generated-folder.ts';
import { Stopwatch } from './stopwatch.ts';
import type { TypesProcess } from './types-process.ts';

interface Rehearsing {
  contract: ContractReader;
  types: AskedProcess<TypesProcess>;
  files: Files;
}

/**
 * The tenth time takes a third of the first, for programs too. Done while nobody waits, it makes the first save a tenth one. Whoever saves
 * meanwhile waits for one step of it at most. What goes wrong here goes wrong again with the next save, and is said then.
 */
export async function warmUp({ contract, types, files }: Rehearsing, isIdle: () => boolean): Promise<void> {
  const file = 'generated/api.d.ts';
  const changed = { ...files, [file]: `${files[file]}\nexport type Unused = never;\n` };
  const read = async (): Promise<unknown> => (await contract.read(new Stopwatch(0))).verdict;
  const check = (given: Files) => (): Promise<unknown> => types.ask('check', [], given);
  for (const step of [read, check(changed), check(files), read, check(changed), read, check(files), read, check(changed), check(files)])
    if (isIdle()) await step().catch(() => {});
}
