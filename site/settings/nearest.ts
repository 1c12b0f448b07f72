/** How many letters have to be put in, taken out or exchanged to make one word of the other. */
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

/** The known paths a writer most likely meant: those below it where it names a group, else those that are spelled most alike. */
export function nearest(path: string, known: readonly string[], count = 3): string[] {
  const below = known.filter((candidate) => candidate.startsWith(`${path}.`));
  // Comparing is quadratic in the length, and nothing this long is a slip of the pen.
  const written = path.slice(0, 100);
  const byDistance = known
    .map((candidate) => ({ candidate, letters: distance(written, candidate) }))
    .toSorted((one, other) => one.letters - other.letters)
    .map(({ candidate }) => candidate);
  return [...new Set([...below, ...byDistance])].slice(0, count);
}
