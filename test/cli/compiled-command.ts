import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CompileTask } from './compile-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of the compiled programs that the workers of a run share. */
const sharedFolder = 'TEST_COMPILED_COMMAND';

const command = 'cli/affiliate.ts';
/** Their modules would take longer to compile than to load. */
const packages = ['esbuild', 'openapi-typescript', 'typescript'];
const programs = [
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
  if (file === command) return [path.join(compiled, 'cached-command.cjs')];
  return [path.join(compiled, file.replace(/\.ts$/, '.js'))];
};

/** The arguments with which Node runs `affiliate`. */
export const compiledCommand = (): readonly string[] => compiledProgram(command);

let compiled: string | undefined;

/** Compiles the programs for all processes that this one starts. */
export function shareCompiledCommand(): void {
  if (!process.env['NODE_V8_COVERAGE']) process.env[sharedFolder] = compile();
}

/** Bundled, with TypeORM in them: a program starts in half the time. `affiliate` is one file, whose compiled code each start takes from a cache. */
function compile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'affiliate-compiled-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // Two folders below the root, as the modules that locate files are: it finds those of the sources. `affiliate doctor` reads its date.
  const location = path.join(root, 'cli/doctor/machine.ts');
  if (!existsSync(location)) throw new Error(`${location} is gone: name another file that is two folders below the root.`);
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const launcher = path.join(folder, 'cached-command.cjs');
  copyFileSync(path.join(root, 'test/cli/cached-command.cjs'), launcher);
  const options = { root, outdir: folder, packages, define: { 'import.meta.url': JSON.stringify(pathToFileURL(location).href) } };
  const files = programs.map((file) => path.join(root, file));
  // In a process of its own, because a test asks for the command without waiting, and plugins of esbuild are asynchronous.
  const task: CompileTask = { files, options, launcher };
  const args = ['--import', 'tsx', path.join(root, 'test/cli/compile-process.ts'), JSON.stringify(task)];
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  return folder;
}
