import { type Color, colorize, displayWidth, pad, printable, screenWidth, wrap } from './text.ts';

export interface TableColumn {
  name: string;
  /** Numbers are aligned right. */
  isNumber?: boolean;
  color?(cell: string): Color | null;
}

export const numberColumn = (name: string): TableColumn => ({ name, isNumber: true });

type Row = readonly string[];

const gap = '  ';
const minWidth = 10;

/** Aligned columns under their names. On a terminal the table fits its width: long cells are wrapped, never cut off. */
export function formatTable(columns: readonly (string | TableColumn)[], rows: readonly Row[]): string {
  const all = columns.map((column) => (typeof column === 'string' ? { name: column } : column));
  const heading = all.map(({ name }) => name);
  const cells = rows.map((row) => row.map(printable));
  const widths = fitWidths(heading, cells);
  const body = cells.flatMap((row) => formatRow(row, all, widths));
  return (heading.some((name) => name !== '') ? [colorize('dim', formatLine(heading, all, widths)), ...body] : body).join('\n');
}

/** Narrows the widest column, one by one, until the table fits the screen; natural widths if that is impossible. */
function fitWidths(heading: Row, rows: readonly Row[]): number[] {
  const natural = heading.map((name, index) => Math.max(displayWidth(name), ...rows.map((row) => displayWidth(row[index] ?? ''))));
  const least = heading.map((name) => Math.max(minWidth, displayWidth(name)));
  const fitted = [...natural];
  const total = natural.reduce((sum, width) => sum + width, gap.length * (natural.length - 1));
  for (let excess = total - screenWidth(); excess > 0; excess -= 1) {
    const widest = Math.max(...fitted.filter((width, index) => width > (least[index] ?? 0)));
    if (widest === Number.NEGATIVE_INFINITY) return natural;
    fitted[fitted.findIndex((width, index) => width === widest && width > (least[index] ?? 0))] = widest - 1;
  }
  return fitted;
}

function formatRow(row: Row, columns: readonly TableColumn[], widths: readonly number[]): string[] {
  const wrapped = row.map((cell, index) => wrap(cell, widths[index] ?? 0));
  const colors = columns.map(({ color }, index) => color?.(row[index] ?? '') ?? null);
  return Array.from({ length: Math.max(...wrapped.map((lines) => lines.length)) }, (_, at) => {
    const line = wrapped.map((lines) => lines[at] ?? '');
    return formatLine(line, columns, widths, colors);
  });
}

function formatLine(
  cells: Row,
  columns: readonly TableColumn[],
  widths: readonly number[],
  colors: readonly (Color | null)[] = [],
): string {
  const last = cells.findLastIndex((cell) => cell !== '');
  return cells
    .slice(0, last + 1)
    .map((cell, index) => {
      const isNumber = columns[index]?.isNumber === true;
      const text = index === last && !isNumber ? cell : pad(cell, widths[index] ?? 0, isNumber ? 'right' : 'left');
      const color = colors[index];
      return color ? colorize(color, text) : text;
    })
    .join(gap);
}
