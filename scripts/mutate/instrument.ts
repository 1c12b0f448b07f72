import type { Mutant } from './mutant.ts';

/** The name by which the code asks whether a mutant is on. */
export const asked = '__isMutant';

const header = `const ${asked} = globalThis.${asked} ?? (() => false);\n`;

interface Place {
  start: number;
  end: number;
  mutants: Mutant[];
}

/**
 * The file with all of its mutants in it, each behind a question. So the tests are loaded once, and mutants are switched on and off in the
 * running process.
 */
export function withSwitches(source: string, mutants: readonly Mutant[]): string {
  const places = new Map<string, Place>();
  for (const mutant of mutants) {
    const { start, end } = mutant;
    const place = places.get(`${start}-${end}`) ?? { start, end, mutants: [] };
    place.mutants.push(mutant);
    places.set(`${start}-${end}`, place);
  }
  // What encloses another stands before it.
  const ordered = [...places.values()].sort((one, other) => one.start - other.start || other.end - one.end);
  return header + rendered(source, 0, source.length, ordered);
}

/** The text from one position to another, with the places in it switched. */
function rendered(source: string, start: number, end: number, places: readonly Place[]): string {
  let text = '';
  let at = start;
  let rest = places;
  while (rest.length > 0) {
    const [place, ...later] = rest as [Place, ...Place[]];
    const inside = later.filter((other) => other.start < place.end);
    text += source.slice(at, place.start) + switched(place, rendered(source, place.start, place.end, inside));
    at = place.end;
    rest = later.slice(inside.length);
  }
  return text + source.slice(at, end);
}

function switched({ mutants }: Place, original: string): string {
  const [first] = mutants;
  if (first?.isStatement) return `{ if (${asked}(${first.id})) {} else ${original} }`;
  const others = mutants.map(({ id, to }) => `${asked}(${id}) ? (${to}) : `).join('');
  return `(${others}(${original}))`;
}
