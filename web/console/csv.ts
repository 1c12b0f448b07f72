export type Cell = string | number | boolean | null;

/** Spreadsheets run text that starts with one of these characters as a formula. */
const formula = /^[=+\-@＝＋－＠\t\r]/;

function formatCell(cell: Cell): string {
  const text = typeof cell === 'string' && formula.test(cell) ? `'${cell}` : String(cell ?? '');
  // A spreadsheet of another locale separates cells by semicolons or tabs.
  return /[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const formatCsv = (rows: readonly (readonly Cell[])[]): string => rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');

/** The mark at the start lets spreadsheets read it as UTF-8. */
export const downloadCsv = (name: string, rows: readonly (readonly Cell[])[]): void =>
  download(`${name.toLowerCase().replaceAll(/\W+/g, '-')}.csv`, new Blob([`\uFEFF${formatCsv(rows)}`], { type: 'text/csv;charset=utf-8' }));

export function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
