import type { Mutant } from './find-mutants.ts';

/** Global function that the instrumented code calls to learn whether a mutant is active. */
export const activationFunction = '__isMutantActive';

const header = `const ${activationFunction} = globalThis.${activationFunction} ?? (() => false);\n`;

/** A piece of the source and the mutants that replace it. */
interface Piece {
  start: number;
  end: number;
  mutants: Mutant[];
}

/** The file with all of its mutants in it, each behind a condition: tests load once, and mutants are switched in the running process. */
export function instrument(source: string, mutants: readonly Mutant[]): string {
  const pieces = new Map<string, Piece>();
  for (const mutant of mutants) {
    const { start, end } = mutant;
    const piece = pieces.get(`${start}-${end}`) ?? { start, end, mutants: [] };
    piece.mutants.push(mutant);
    pieces.set(`${start}-${end}`, piece);
  }
  const outermostFirst = [...pieces.values()].sort((one, other) => one.start - other.start || other.end - one.end);
  return header + render(source, 0, source.length, outermostFirst);
}

function render(source: string, start: number, end: number, pieces: readonly Piece[]): string {
  let text = '';
  let position = start;
  let rest = pieces;
  while (rest.length > 0) {
    const [piece, ...later] = rest as [Piece, ...Piece[]];
    const nested = later.filter((other) => other.start < piece.end);
    text += source.slice(position, piece.start) + switchBetween(piece.mutants, render(source, piece.start, piece.end, nested));
    position = piece.end;
    rest = later.slice(nested.length);
  }
  return text + source.slice(position, end);
}

function switchBetween(mutants: readonly Mutant[], original: string): string {
  const [first] = mutants;
  if (first?.isStatement) return `{ if (${activationFunction}(${first.id})) {} else ${original} }`;
  const replaced = mutants.map(({ id, replacement }) => `${activationFunction}(${id}) ? (${replacement}) : `).join('');
  return `(${replaced}(${original}))`;
}
