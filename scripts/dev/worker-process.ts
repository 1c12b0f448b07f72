/**
 * A child process of `npm run dev`, see worker.ts. It keeps Redocly or the compiler loaded, whichever it is used for: imports are dynamic,
 * so that it loads nothing else. Requests run one after the other.
 */
import type { FileContents } from '../generate/stale-files.ts';
import type { Problem } from './output.ts';
import type { LintReport } from './redocly.ts';
import type { TypeCheck } from './type-check.ts';

export type WorkerMethods = typeof methods;
export interface WorkerRequest {
  id: number;
  name: keyof WorkerMethods;
  args: unknown[];
}
export type WorkerResponse = { id: number; value: unknown } | { id: number; failure: string };

export interface GeneratedContract {
  files: FileContents;
  operations: number;
}

let typeCheck: Promise<TypeCheck> | undefined;
const getTypeCheck = (): Promise<TypeCheck> =>
  (typeCheck ??= import('./type-check.ts').then(({ TypeCheck }) => new TypeCheck('tsconfig.build.json', 'dist/dev/types.tsbuildinfo')));

const methods = {
  async lint(): Promise<LintReport> {
    return (await import('./redocly.ts')).lintContract();
  },
  /** Changes that break clients of the released contract; none in a new major version. */
  async findBreaking(): Promise<Problem[]> {
    const { compareWithReleased } = await import('../contract/compare-released.ts');
    const { runRedoclyInProcess } = await import('./redocly.ts');
    const { breaking, isNewMajor, base } = await compareWithReleased(runRedoclyInProcess);
    return (isNewMajor ? [] : breaking).map(({ file, line, before, sentence }) => ({
      file,
      line,
      column: 1,
      rule: null,
      causes: before === null ? [] : [`${before}, released as ${base}`],
      sentence: `breaking: ${sentence}, allowed only with a new major version`,
    }));
  },
  /** generated/ as it follows from the YAML on the disk. */
  async generate(): Promise<GeneratedContract> {
    const { bundleContract, listOperations, requireLoadable } = await import('../contract/document.ts');
    const { generateFiles } = await import('../generate/files.ts');
    const { runRedoclyInProcess } = await import('./redocly.ts');
    const contract = await bundleContract('openapi/openapi.yaml', runRedoclyInProcess);
    await requireLoadable(contract);
    return { files: await generateFiles(contract), operations: [...listOperations(contract)].length };
  },
  /** Checks the service as it would be with these files in generated/, after the `changed` files of the project were saved. */
  async checkTypes(changed: string[], generated: FileContents): Promise<Problem[]> {
    return (await getTypeCheck()).check(changed, generated);
  },
  /** Stores what the compiler found for the next start. */
  async saveTypes(): Promise<void> {
    (await getTypeCheck()).save();
  },
  /** Creates a demo store in `folder`/demo, with enough orders for every list to have pages. */
  async createDemo(folder: string): Promise<void> {
    const { DemoFolder } = await import('../../cli/demo/folder.ts');
    const { formatError } = await import('../../cli/terminal/output.ts');
    const print = (text: string): void => void process.stdout.write(text);
    await new DemoFolder(folder).ensureStore({ orders: 2000, print }).catch((error: unknown) => {
      throw new Error(formatError(error));
    });
  },
};

let last: Promise<unknown> = Promise.resolve();
process.on('message', ({ id, name, args }: WorkerRequest) => {
  const method = methods[name] as (...args: unknown[]) => Promise<unknown>;
  const respond = (response: WorkerResponse): void => void process.send?.(response);
  last = last
    .then(() => method(...args))
    .then(
      (value) => respond({ id, value }),
      (error: unknown) => respond({ id, failure: error instanceof Error ? error.message : String(error) }),
    );
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches every process of the terminal; the parent decides when this one ends.
process.on('SIGINT', () => {});
