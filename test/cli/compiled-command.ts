import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { buildPrograms } from '../../scripts/build/programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of the compiled programs that the workers of a run share. */
const sharedFolder = 'TEST_COMPILED_COMMAND';

const command = 'cli/affiliate.ts';
/** Their modules would take longer to compile than to load. */
const packages = ['esbuild', 'openapi-typescript', 'typescript'];
const programs = [
  command,
  'scripts/contract/breaking-changes.ts',
  'scripts/generate.ts',
  'scripts/lint.ts',
  'scripts/mock.ts',
  'scripts/workflows.ts',
  'test/cli/command-process.ts',
  'test/faults/migration-process.ts',
  'test/faults/shop-process.ts',
  'test/faults/worker-process.ts',
];

/** The arguments with which Node runs one of the programs. */
export const compiledProgram = (file: string): readonly string[] => {
  // Coverage is measured on the sources.
  if (process.env['NODE_V8_COVERAGE']) return ['--import', 'tsx', path.join(root, file)];
  compiled ??= process.env[sharedFolder] ?? compile();
  return [path.join(compiled, file.replace(/\.ts$/, '.js'))];
};

/** The arguments with which Node runs `affiliate`. */
export const compiledCommand = (): readonly string[] => compiledProgram(command);

let compiled: string | undefined;

/** Compiles the programs for all processes that this one starts. */
export function shareCompiledCommand(): void {
  if (!process.env['NODE_V8_COVERAGE']) process.env[sharedFolder] = compile();
}

/** One file for each module that is imported on demand, with TypeORM in it: a program starts in half the time. */
function compile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'affiliate-compiled-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // Two folders below the root, as the modules that locate files are: it finds those of the sources. `affiliate doctor` reads its date.
  const location = path.join(root, 'cli/doctor/machine.ts');
  if (!existsSync(location)) throw new Error(`${location} is gone: name another file that is two folders below the root.`);
  const files = programs.map((file) => path.join(root, file));
  buildSync(files, { root, outdir: folder, packages, define: { 'import.meta.url': JSON.stringify(pathToFileURL(location).href) } });
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** In a process of its own, because a test asks for the command without waiting, and plugins of esbuild are asynchronous. */
function buildSync(...args: Parameters<typeof buildPrograms>): void {
  const module = pathToFileURL(path.join(root, 'scripts/build/programs.ts')).href;
  const program = `await (await import(${JSON.stringify(module)})).buildPrograms(...${JSON.stringify(args)});`;
  const nodeArgs = ['--import', 'tsx', '--input-type=module', '--eval', program];
  execFileSync(process.execPath, nodeArgs, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}
