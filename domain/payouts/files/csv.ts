import { exactMinor, type Minor } from '../../money.ts';
import type { FileFigures } from './payment.ts';

/** Spreadsheets run cells that begin so as formulas, some also with the full-width characters. */
export const isFormula = (cell: string): boolean => /^[=+\-@＝＋－＠\t\r]/.test(cell);

const neutralize = (cell: string): string => (isFormula(cell) ? `'${cell}` : cell);

/** A spreadsheet of another locale separates cells by semicolons or tabs. */
const quote = (cell: string): string => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** RFC 4180. Cells that a spreadsheet would run get an apostrophe in front. */
export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => quote(neutralize(cell))).join(',')}\r\n`).join('');

const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n)/y;

/** Reads what `formatCsv` writes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  field.lastIndex = 0;
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    if (!found) throw new Error('The text is not CSV as it is written here.');
    const [, quoted, plain = '', end] = found;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Counts the rows and adds up the amounts of a written file. */
export function readCsvFigures(text: string, column: number, currency: string, headerRows: number): FileFigures {
  const amounts = parseCsv(text)
    .slice(headerRows)
    .map((row) => readAmount(row[column] ?? '', currency));
  return { count: amounts.length, total: amounts.reduce((sum, amount) => sum + amount, 0) };
}

export function readAmount(text: string, currency: string): Minor {
  const amount = /^\d+(\.\d+)?$/.test(text) ? exactMinor(Number(text), currency) : null;
  if (amount === null) throw new Error(`"${text}" is not an amount of ${currency}.`);
  return amount;
}
