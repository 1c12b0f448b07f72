import { colored, padded, printable, screenWidth, widthOf } from './terminal.ts';
import { wrapped } from './wrapping.ts';

export { colored };

type Color = Parameters<typeof colored>[0];

export interface Column {
  name: string;
  /** Numbers stand under each other by their last digit. */
  isNumber?: boolean;
  color?(cell: string): Color | null;
}

/** A column of numbers. */
export const figure = (name: string): Column => ({ name, isNumber: true });

type Cells = readonly string[];

const gap = '  ';
/** Narrower, a column is no longer read. */
const narrowest = 10;

/** Aligned columns under their names. On a terminal it keeps to its width: long cells go on in a second line, and nothing is cut off. */
export function table(columns: readonly (string | Column)[], rows: readonly Cells[]): string {
  const known = columns.map((column) => (typeof column === 'string' ? { name: column } : column));
  const heading = known.map(({ name }) => name);
  const cells = rows.map((row) => row.map(printable));
  const hasNames = heading.some((name) => name !== '');
  const widths = fitting(naturalWidths([heading, ...cells]), heading, screenWidth());
  const body = cells.flatMap((row) => linesOf(row, known, widths));
  return hasNames ? [colored('dim', line(heading, known, widths)), ...body].join('\n') : body.join('\n');
}

const naturalWidths = (rows: readonly Cells[]): number[] =>
  (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => widthOf(row[index] ?? ''))));

/** Takes from the widest column until all of them fit, or until nothing can be taken any more. */
function fitting(widths: readonly number[], heading: Cells, screen: number): number[] {
  const fitted = [...widths];
  const least = heading.map((name) => Math.max(narrowest, widthOf(name)));
  for (let excess = sumOf(fitted) + gap.length * (fitted.length - 1) - screen; excess > 0; excess -= 1) {
    const widest = Math.max(...fitted.filter((width, index) => width > (least[index] ?? 0)));
    if (widest === Number.NEGATIVE_INFINITY) return [...widths];
    fitted[fitted.findIndex((width, index) => width === widest && width > (least[index] ?? 0))] = widest - 1;
  }
  return fitted;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

function linesOf(row: Cells, columns: readonly Column[], widths: readonly number[]): string[] {
  const parts = row.map((cell, index) => wrapped(cell, widths[index] ?? 0));
  const height = Math.max(...parts.map((part) => part.length));
  const colors = columns.map(({ color }, index) => color?.(row[index] ?? '') ?? null);
  return Array.from({ length: height }, (_, at) =>
    line(
      parts.map((part) => part[at] ?? ''),
      columns,
      widths,
      colors,
    ),
  );
}

function line(cells: Cells, columns: readonly Column[], widths: readonly number[], colors: readonly (Color | null)[] = []): string {
  const last = cells.findLastIndex((cell) => cell !== '');
  return cells
    .slice(0, last + 1)
    .map((cell, index) => {
      const isNumber = columns[index]?.isNumber === true;
      const text = index === last && !isNumber ? cell : padded(cell, widths[index] ?? 0, isNumber ? 'right' : 'left');
      const color = colors[index];
      return color ? colored(color, text) : text;
    })
    .join(gap);
}
