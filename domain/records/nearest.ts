/** The names closest to `name`: those below it if it names a group, then those with the smallest distance; none that shares less than half. */
export function nearest(name: string, known: readonly string[], { separator, count }: { separator: string; count: number }): string[] {
  const below = known.filter((candidate) => candidate.startsWith(`${name}${separator}`));
  // The distance is quadratic in the length, and no typo is this long.
  const written = name.slice(0, 40);
  const byDistance = known
    .map((candidate) => ({ candidate, letters: distance(written.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, letters }) => candidate.startsWith(written) || letters <= Math.max(written.length, candidate.length) / 2)
    .toSorted((one, other) => one.letters - other.letters)
    .map(({ candidate }) => candidate);
  return [...new Set([...below, ...byDistance])].slice(0, count);
}

/** Levenshtein distance: the number of letters to insert, remove or exchange. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1];
    for (const [left, candidate] of [...other].entries()) {
      const exchanged = (row[left] ?? 0) + (letter === candidate ? 0 : 1);
      next.push(Math.min(exchanged, (row[left + 1] ?? 0) + 1, (next[left] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
