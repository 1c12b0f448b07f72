import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import ts from 'typescript';
import { findMutants, type Mutant } from '../../scripts/mutate/find-mutants.ts';
import { activationFunction, instrument } from '../../scripts/mutate/instrument.ts';
import { classifySurvivors, formatReport, readAccepted } from '../../scripts/mutate/report.ts';
import { changedLines, type MutantResult, type Verdict } from '../../scripts/mutate/run-mutants.ts';
import { optionsFrom, targets } from '../../scripts/mutate/targets.ts';
import { UsageError } from '../../scripts/shared/usage.ts';

const changesIn = (source: string): string[] => findMutants('sample.ts', source).map((mutant) => changedLines(source, mutant).after);

/** Compiles the instrumented sample. `runWith` calls it with one mutant active, or none. */
function instrumented(source: string): { mutants: Mutant[]; runWith: (id: number | null, ...args: unknown[]) => unknown } {
  const mutants = findMutants('sample.ts', source);
  const text = ts.transpile(instrument(source, mutants), { target: ts.ScriptTarget.ES2023 });
  const compile = new Function('globalThis', `${text}\nreturn sample;`);
  const runWith = (id: number | null, ...args: unknown[]) => compile({ [activationFunction]: (other: number) => other === id })(...args);
  return { mutants, runWith };
}

describe('a mutant', () => {
  it('moves a boundary, or makes a condition always or never true', () => {
    expect(changesIn('if (a < b) c();')).to.deep.equal(['if (true) c();', 'if (false) c();', 'if (a <= b) c();', 'if (a < b)']);
    expect(changesIn('const x = a === b;')).to.deep.equal(['const x = a !== b;']);
  });

  it('leaves out either half of a guard', () => {
    expect(changesIn('const x = a && b;')).to.deep.equal(['const x = a;', 'const x = b;']);
    expect(changesIn('const x = a ?? 0;')).to.deep.equal(['const x = a;', 'const x = 0;']);
  });

  it('removes one anchor of a regular expression', () => {
    expect(changesIn('const x = /^a$/i;')).to.deep.equal(['const x = /a$/i;', 'const x = /^a/i;']);
  });

  it('empties codes, and leaves sentences and types unchanged', () => {
    expect(changesIn("const x: 'code' = 'code';")).to.deep.equal(["const x: 'code' = '';"]);
    expect(changesIn("const x = 'What went wrong.';")).to.deep.equal([]);
    expect(changesIn("import x from './y.ts';\ninterface A { a: 1 }\ntype B = 'b';")).to.deep.equal([]);
  });

  it('changes nothing until it is active, and is then the only change', () => {
    const source = 'const sample = (a: number, b: number): string => (a > 1 && b !== 2 ? `x${a + b}` : [a, b].join("-"));';
    const { mutants, runWith } = instrumented(source);
    expect(mutants.length).to.be.greaterThan(8);
    for (const [a, b] of [
      [1, 2],
      [2, 2],
      [2, 3],
    ]) {
      expect(runWith(null, a, b)).to.equal(a === 2 && b === 3 ? 'x5' : `${a}-${b}`);
      for (const mutant of mutants) {
        const changed = source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end);
        const compile = new Function(`${ts.transpile(changed)}\nreturn sample;`);
        expect(runWith(mutant.id, a, b), changed).to.equal(compile()(a, b));
      }
    }
  });

  it('that removes a statement keeps the else with its if', () => {
    const { mutants, runWith } = instrumented('function sample(a) { let n = 0; if (a) n += 1; else n += 2; return n; }');
    const removals = mutants.filter(({ isStatement }) => isStatement);
    expect(removals.map(({ id }) => [runWith(id, true), runWith(id, false)])).to.deep.equal([
      [0, 2],
      [1, 0],
    ]);
  });
});

const resultOf = (after: string, verdict: Verdict): MutantResult => ({
  mutant: { id: 0, file: 'a.ts', line: 3, start: 0, end: 1, replacement: '', isStatement: false },
  before: 'a < b',
  after,
  verdict,
});
const survived: Verdict = { kind: 'survived', unreached: false };
const accept = (after: string) => ({ file: 'a.ts', before: 'a < b', after, reason: 'The same.' });

describe('npm run mutate', () => {
  it('reports survivors that accepted.json does not list, and entries of accepted.json that match no survivor', () => {
    const results = [resultOf('a <= b', survived), resultOf('a >= b', survived), resultOf('true', { kind: 'killed', by: 'a test' })];
    const survivors = classifySurvivors(results, [
      accept('a <= b'),
      accept('true'),
      accept('a ** b'),
      { ...accept('x'), file: 'not-run.ts' },
    ]);
    expect(survivors.open.map(({ after }) => after)).to.deep.equal(['a >= b']);
    expect(survivors.outdated.map((sentence) => /is killed now|does not exist any more/.exec(sentence)?.[0])).to.deep.equal([
      'is killed now',
      'does not exist any more',
    ]);
    expect(formatReport(results, survivors))
      .to.include('a.ts:3 survives\n  - a < b\n  + a >= b')
      .and.include('| a.ts | 3 | 1 | 1 | 1 | 33.3 % |');
  });

  it('mutates files that exist, with tests that exist, and accepts mutants of these files only', () => {
    const paths = targets.flatMap(({ file, tests }) => [file, ...tests]);
    expect(paths.filter((path) => !existsSync(path))).to.deep.equal([]);
    const results = targets.flatMap(({ file }) => {
      const source = readFileSync(file, 'utf8');
      return findMutants(file, source).map((mutant) => ({ mutant, ...changedLines(source, mutant), verdict: survived }));
    });
    expect(classifySurvivors(results, readAccepted()).outdated).to.deep.equal([]);
    const files = new Set(targets.map(({ file }) => file));
    expect(readAccepted().filter(({ file }) => !files.has(file))).to.deep.equal([]);
  });

  it('takes a file or a folder, and lists the files that are mutated for any other path', () => {
    expect(optionsFrom(['--file', 'server/auth']))
      .to.have.property('targets')
      .with.length.above(4);
    expect(() => optionsFrom(['--file', 'domain/dates.ts'])).to.throw(UsageError, 'domain/money.ts');
    expect(() => optionsFrom(['--jobs', '0'])).to.throw(UsageError, '--jobs');
  });
});
