/** A line at the top of every generated page, which the page does not show. */
export const notice = (source: string): string => `<!-- Written by \`npm run generate\` from ${source}. Change that, not this page. -->\n`;

/** In a cell a bar would begin the next one. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |\n`;
  return line(headings) + `|${'---|'.repeat(headings.length)}\n` + rows.map(line).join('');
}

export const code = (text: string): string => `\`${text}\``;
