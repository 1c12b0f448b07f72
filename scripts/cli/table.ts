import { styleText } from 'node:util';

type Color = 'green' | 'yellow' | 'red' | 'dim';

/** Colours are for eyes: none in a pipe or a file, none where NO_COLOR asks for none. */
export const colored = (color: Color, text: string): string =>
  process.stdout.isTTY && process.stdout.hasColors() ? styleText(color, text) : text;

// Names come from shops and applicants. An escape sequence among them would move the operator's cursor.
const printable = (cell: string): string => cell.replaceAll(/\p{Cc}/gu, '?');

/** Aligned columns under their names. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = columns.map((column, index) => Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [colored('dim', line(columns)), ...cells.map(line)].join('\n');
}
