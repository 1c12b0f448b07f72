/** `npm run coverage`: the whole suite under c8, and at the end what it comes by of the code that guards money and access. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { type Counts, tableOf } from './coverage-table.ts';

const root = path.resolve(import.meta.dirname, '../..');
const given = process.argv.slice(2);
// c8 counts what child processes do as well, through a variable that they inherit.
const args = ['c8', 'mocha', '--parallel', ...(given.length > 0 ? given : ['test/**/*.test.ts'])];
const { status } = spawnSync('npx', args, { cwd: root, stdio: 'inherit' });

const summary = JSON.parse(readFileSync(path.join(root, 'coverage/coverage-summary.json'), 'utf8')) as Record<string, Counts>;
const { total: _, ...files } = summary;

/** Types alone leave nothing to run, so nothing comes by: c8 would call it a gap. */
const isTypesAlone = (file: string): boolean =>
  ts.transpile(readFileSync(file, 'utf8'), { module: ts.ModuleKind.ESNext, removeComments: true }).trim() === 'export {};';

const counts = Object.entries(files)
  .filter(([file, { lines }]) => lines.covered > 0 || !isTypesAlone(file))
  .map(([file, count]): [string, Counts] => [path.relative(root, file).replaceAll(path.sep, '/'), count]);
console.log(`\n${tableOf(new Map(counts))}\n\nLine by line: coverage/index.html`);
process.exitCode = status ?? 1;
