import { counter, type Family, type Labels } from './family.ts';

interface Cell {
  readonly labels: Labels;
  value: number;
}

/** Counts by labels. Whoever counts sees to it that there is an end to the values that a label can have. */
export class Tally<Name extends string> {
  readonly #described: { name: string; help: string };
  readonly #cells = new Map<string, Cell>();

  /** `known` are told from the start, as 0: what is not there yet cannot be told from what is not measured. */
  constructor(name: string, help: string, known: readonly Record<Name, string>[] = []) {
    this.#described = { name, help };
    for (const labels of known) this.add(labels, 0);
  }

  add(labels: Record<Name, string>, count = 1): void {
    const key = Object.values(labels).join('\n');
    const cell = this.#cells.get(key) ?? { labels, value: 0 };
    cell.value += count;
    this.#cells.set(key, cell);
  }

  family(): Family {
    return counter(
      this.#described,
      [...this.#cells.values()].map(({ labels, value }) => ({ labels, value })),
    );
  }
}
