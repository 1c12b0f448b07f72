import { expect } from 'chai';
import ts from 'typescript';
import { survivorsOf } from '../../scripts/mutate/accepted.ts';
import { mutantsOf } from '../../scripts/mutate/find-mutants.ts';
import { asked, withSwitches } from '../../scripts/mutate/instrument.ts';
import { type Judged, linesOf, type Mutant, type Verdict } from '../../scripts/mutate/mutant.ts';
import { optionsFrom } from '../../scripts/mutate/options.ts';
import { reportOf } from '../../scripts/mutate/report.ts';
import { UsageError } from '../../scripts/shared/usage.ts';

const changesOf = (source: string): string[] => mutantsOf('sample.ts', source).map((mutant) => linesOf(source, mutant).after);

/** The sample with all of its mutants in it, and the means to switch one on. */
function switchedOn(source: string): { mutants: Mutant[]; resultWith: (id: number | null, ...given: unknown[]) => unknown } {
  const mutants = mutantsOf('sample.ts', source);
  const text = ts.transpile(withSwitches(source, mutants), { target: ts.ScriptTarget.ES2023 });
  const make = new Function('globalThis', `${text}\nreturn sample;`);
  const resultWith = (id: number | null, ...given: unknown[]) => make({ [asked]: (other: number) => other === id })(...given);
  return { mutants, resultWith };
}

describe('a mutant', () => {
  it('moves a boundary, and takes a condition for always or never true', () => {
    expect(changesOf('if (a < b) c();')).to.deep.equal(['if (true) c();', 'if (false) c();', 'if (a <= b) c();', 'if (a < b)']);
    expect(changesOf('const x = a === b;')).to.deep.equal(['const x = a !== b;']);
  });

  it('leaves out either half of a guard', () => {
    expect(changesOf('const x = a && b;')).to.deep.equal(['const x = a;', 'const x = b;']);
    expect(changesOf('const x = a ?? 0;')).to.deep.equal(['const x = a;', 'const x = 0;']);
  });

  it('takes codes away, and leaves sentences and types alone', () => {
    expect(changesOf("const x: 'code' = 'code';")).to.deep.equal(["const x: 'code' = '';"]);
    expect(changesOf("const x = 'What went wrong.';")).to.deep.equal([]);
    expect(changesOf("import x from './y.ts';\ninterface A { a: 1 }\ntype B = 'b';")).to.deep.equal([]);
  });

  it('is off until it is switched on, and then the only one', () => {
    const source = 'const sample = (a: number, b: number): string => (a > 1 && b !== 2 ? `x${a + b}` : [a, b].join("-"));';
    const { mutants, resultWith } = switchedOn(source);
    expect(mutants.length).to.be.greaterThan(8);
    for (const [a, b] of [
      [1, 2],
      [2, 2],
      [2, 3],
    ]) {
      expect(resultWith(null, a, b)).to.equal(a === 2 && b === 3 ? 'x5' : `${a}-${b}`);
      for (const mutant of mutants) {
        const alone = source.slice(0, mutant.start) + mutant.to + source.slice(mutant.end);
        const make = new Function(`${ts.transpile(alone)}\nreturn sample;`);
        expect(resultWith(mutant.id, a, b), alone).to.equal(make()(a, b));
      }
    }
  });

  it('that removes a statement leaves the else where it belongs', () => {
    const { mutants, resultWith } = switchedOn('function sample(a) { let n = 0; if (a) n += 1; else n += 2; return n; }');
    const removals = mutants.filter(({ isStatement }) => isStatement);
    expect(removals.map(({ id }) => [resultWith(id, true), resultWith(id, false)])).to.deep.equal([
      [0, 2],
      [1, 0],
    ]);
  });
});

const judged = (after: string, verdict: Verdict): Judged => ({
  mutant: { id: 0, file: 'a.ts', line: 3, start: 0, end: 1, to: '', isStatement: false },
  before: 'a < b',
  after,
  verdict,
});
const survived: Verdict = { kind: 'survived', unreached: false };
const entry = (after: string) => ({ file: 'a.ts', before: 'a < b', after, reason: 'The same.' });

describe('the report of mutants', () => {
  it('names survivors that nobody has accepted, and what is accepted without need', () => {
    const all = [judged('a <= b', survived), judged('a >= b', survived), judged('true', { kind: 'killed', by: 'a test' })];
    const survivors = survivorsOf(all, [entry('a <= b'), entry('true'), entry('a ** b'), { ...entry('x'), file: 'not-run.ts' }]);
    expect(survivors.open.map(({ after }) => after)).to.deep.equal(['a >= b']);
    expect(survivors.outdated.map((sentence) => /is killed now|does not exist any more/.exec(sentence)?.[0])).to.deep.equal([
      'is killed now',
      'does not exist any more',
    ]);
    expect(reportOf(all, survivors)).to.include('a.ts:3 survives\n  - a < b\n  + a >= b').and.include('| a.ts | 3 | 1 | 1 | 1 | 33.3 % |');
  });

  it('is asked for files that are mutated, and says which there are', () => {
    expect(optionsFrom(['--file', 'server/auth']))
      .to.have.property('subjects')
      .with.length.above(4);
    expect(() => optionsFrom(['--file', 'domain/dates.ts'])).to.throw(UsageError, 'domain/money.ts');
    expect(() => optionsFrom(['--jobs', '0'])).to.throw(UsageError, '--jobs');
  });
});
