import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { waitForOutput } from '../cli/running-service.ts';
import { inProof } from '../support/in-proof.ts';
import { type Checkout, createCheckout } from './checkout.ts';

interface Manifest {
  bin: { affiliate: string };
  dependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const topOf = (files: readonly string[]): string[] => [...new Set(files.map((file) => file.split('/')[0] ?? ''))];

/** The imports of a compiled file, `import()` included. */
const importsOf = (file: string): string[] =>
  ts.preProcessFile(readFileSync(file, 'utf8'), true, false).importedFiles.map(({ fileName }) => fileName);

/** PROVE_PACKAGES=all: compiles and packs a checkout, and runs what is packed. */
const { describeInProof } = inProof('PROVE_PACKAGES');

describeInProof('npm pack, in a checkout without a build,', () => {
  let checkout: Checkout;
  let files: string[];
  let unpacked: string;
  before(() => {
    checkout = createCheckout();
    ({ files, unpacked } = checkout.pack('.'));
  });
  after(() => checkout.remove());

  const scripts = (): string[] => files.filter((file) => file.endsWith('.js') && !file.startsWith('dist/web/'));

  it('packs the compiled program, its pages, the documents for operators, and nothing else', () => {
    expect(topOf(files)).to.deep.equal(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'package.json']);
    expect(topOf(files.filter((file) => file.startsWith('dist/')).map((file) => file.slice('dist/'.length)))).to.deep.equal([
      'cli',
      'generated',
      'web',
    ]);
    expect(files.filter((file) => !/^dist\/.*\.js(\.LEGAL\.txt)?$/.test(file))).to.deep.equal(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'dist/generated/openapi.json',
        'dist/web/console.css',
        'dist/web/guides.json',
        'dist/web/icon.svg',
        'dist/web/reference.css',
        ...readdirSync('docs/operations').map((file) => `docs/operations/${file}`),
        'docs/guides/run-in-production.md',
        'docs/guides/several-processes.md',
        'package.json',
      ].sort(),
    );
  });

  it('packs the command in parts, with the licences of the packages in them, and no developer tools', () => {
    expect(scripts().filter((file) => !/^dist\/cli\/parts\/[\w-]+-[A-Z0-9]{8}\.js$/.test(file))).to.deep.equal(['dist/cli/affiliate.js']);
    expect(files.filter((file) => file.endsWith('.LEGAL.txt'))).to.not.deep.equal([]);
    for (const file of scripts())
      expect(readFileSync(path.join(unpacked, file), 'utf8'), file).to.not.match(/scripts\/(dev|generate|lint)/);
  });

  it('packs files that import only each other, Node and the runtime dependencies', () => {
    for (const script of scripts())
      for (const name of importsOf(path.join(unpacked, script))) {
        if (name.startsWith('.')) expect(existsSync(path.join(unpacked, path.dirname(script), name)), `${script}: ${name}`).to.equal(true);
        else if (!isBuiltin(name)) {
          const parts = name.split('/').slice(0, name.startsWith('@') ? 2 : 1);
          expect(manifest.dependencies, script).to.have.property(parts.join('/'));
        }
      }
  });

  it('packs an executable command', () => {
    const command = path.join(unpacked, manifest.bin.affiliate);
    expect(statSync(command).mode & 0o111).to.equal(0o111);
    expect(readFileSync(command, 'utf8')).to.match(/^#!\/usr\/bin\/env node\n/);
  });

  it('packs a program that runs the demo and serves the reference page with its dependencies alone', async () => {
    const { dependencies } = manifest;
    symlinkDependencies(path.join(unpacked, 'node_modules'), Object.keys(dependencies));
    const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: path.join(checkout.folder, 'empty') };
    const child = spawn(process.execPath, [path.join(unpacked, manifest.bin.affiliate), 'demo', '--orders', '100', '--json'], { env });
    const { said, ended } = await waitForOutput(child, (text) => text.endsWith('}\n'));
    const { base_url: base, admin } = JSON.parse(said()) as { base_url: string; admin: { token: string } };
    const report = await fetch(`${base}/reports/summary`, { headers: { Authorization: `Bearer ${admin.token}` } });
    const page = await fetch(new URL('/docs', base));
    child.kill('SIGTERM');
    expect([report.status, page.status, (await ended).code]).to.deep.equal([200, 200, 0]);
  });

  it('packs of the client its compiled files, types, README and licence, and nothing else', () => {
    const client = checkout.pack('./client').files;
    expect(topOf(client)).to.deep.equal(['LICENSE', 'README.md', 'dist', 'package.json']);
    expect(client.filter((file) => file.startsWith('dist/') && !/\.(js|d\.ts)$/.test(file))).to.deep.equal([]);
    expect(client).to.include.members(['dist/index.js', 'dist/index.d.ts']);
  });
});

/** Links these packages and their dependencies, and no others of the project. */
function symlinkDependencies(folder: string, names: readonly string[]): void {
  mkdirSync(folder);
  const waiting = [...names];
  const linked = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const source = path.resolve('node_modules', name);
    if (linked.has(name) || !existsSync(source)) continue;
    linked.add(name);
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    symlinkSync(source, path.join(folder, name));
    const { dependencies = {} } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8')) as Partial<Manifest>;
    waiting.push(...Object.keys(dependencies));
  }
}
