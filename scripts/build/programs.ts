import { readFileSync, writeFileSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';

/** Drivers with native code, and those of databases that are not installed. */
const drivers = ['sqlite3', 'pg', 'pg-*', '@google-cloud/*', '@sap/*', 'better-sqlite3', 'ioredis', 'mongodb', 'mssql', 'mysql', 'mysql2'];
const moreDrivers = ['oracledb', 'react-native-*', 'redis', 'sql.js', 'typeorm-aurora-*'];

/** Koa, its content negotiation and its body parser each have a MIME database, of two versions. The start would read four. */
const alias = { 'mime-types': './node_modules/mime-types' };

const otherDrivers =
  /^\.{1,2}\/(driver\/)?(aurora-\w+|better-sqlite3|capacitor|cockroachdb|cordova|expo|mongodb|mysql|nativescript|oracle|react-native|sap|spanner|sqljs|sqlserver)\//;

/**
 * What packages load and never use here: TypeORM its drivers of all databases, and what finds entities in files and colours SQL; iconv-lite the
 * tables of Chinese, Japanese and Korean, since a body is UTF-8; openapi-backend what its `init()` needs (contract.ts).
 */
const unused = [
  { package: 'typeorm', imports: otherDrivers },
  { package: 'typeorm', imports: /^(glob|@sqltools\/formatter.*)$/ },
  { package: 'iconv-lite', imports: /^\.\/tables\// },
  { package: 'openapi-backend', imports: /^(\.\/refparser|openapi-schema-validator)$/ },
];

/** Makes them empty modules. */
const omitUnused: Plugin = {
  name: 'omit-unused',
  setup({ onResolve, onLoad }) {
    for (const { package: name, imports } of unused)
      onResolve({ filter: imports }, ({ path, importer }) =>
        importer.includes(`/node_modules/${name}/`) ? { path, namespace: 'empty' } : undefined,
      );
    onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: '' }));
  },
};

/** Packages in CommonJS expect these. */
const commonJs = `import { createRequire as requireOf } from 'node:module';
const require = requireOf(import.meta.url);
const __dirname = import.meta.dirname;`;

const comment = /^\s*(?:\/\/|\/?\*).*$/gm;

/** V8 keeps a source with one dash above Latin 1 in twice the memory: 3 MB for those of TypeORM's comments. esbuild escapes them in code alone. */
function plainComments(file: string): void {
  const source = readFileSync(file, 'utf8');
  const plain = source.replaceAll(comment, (line) => line.replaceAll(/[^\0-\xff]/g, '-'));
  if (plain !== source) writeFileSync(file, plain);
}

interface ProgramOptions {
  root: string;
  outdir: string;
  /** Constants that replace expressions of the sources. */
  define?: Record<string, string>;
  /** Packages that are not bundled. */
  packages?: string[];
  /** A CommonJS program is one file, which can be loaded with the code that V8 compiled before. */
  format?: 'esm' | 'cjs';
}

/** Bundles programs with their packages: TypeORM alone has a thousand files, so a program starts in half the time, with 20 MB less. */
export async function buildPrograms(
  entryPoints: string[],
  { root, outdir, define = {}, packages = [], format = 'esm' }: ProgramOptions,
): Promise<void> {
  const { metafile } = await build({
    entryPoints,
    outbase: root,
    outdir,
    define,
    bundle: true,
    alias,
    plugins: [omitUnused],
    splitting: format === 'esm',
    chunkNames: 'cli/parts/[name]-[hash]',
    platform: 'node',
    format,
    target: 'node20',
    legalComments: 'linked',
    banner: format === 'esm' ? { js: commonJs } : {},
    external: [...drivers, ...moreDrivers, ...packages],
    logLevel: 'error',
    metafile: true,
  });
  for (const file of Object.keys(metafile.outputs)) if (file.endsWith('.js')) plainComments(file);
}
