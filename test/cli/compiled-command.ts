import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The arguments with which Node runs `affiliate`. */
export const compiledCommand = (): readonly string[] => {
  // Coverage is measured on the sources.
  if (process.env['NODE_V8_COVERAGE']) return ['--import', 'tsx', path.join(root, 'cli/affiliate.ts')];
  compiled ??= compile();
  return [path.join(compiled, 'cli/affiliate.js')];
};

let compiled: string | undefined;

/** Compiles the program once for all tests: each process then starts in half the time. */
function compile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'affiliate-compiled-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { fileNames, options } = buildConfiguration();
  for (const file of fileNames.filter((name) => !name.endsWith('.d.ts'))) {
    const target = path.join(folder, path.relative(root, file).replace(/\.ts$/, '.js'));
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, ts.transpileModule(readFileSync(file, 'utf8'), { fileName: file, compilerOptions: options }).outputText);
  }
  for (const file of ['package.json', 'generated/openapi.json']) copyFileSync(path.join(root, file), path.join(folder, file));
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

function buildConfiguration(): ts.ParsedCommandLine {
  const file = path.join(root, 'tsconfig.build.json');
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  // transpileModule does not read package.json, which says that these are ES modules.
  const here = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, sourceMap: false };
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, root, undefined, file);
  return { ...parsed, options: { ...parsed.options, ...here } };
}
