/** Well below the number of values that one statement may carry on either engine, for rows of up to ten values. */
const rowsPerStatement = 1000;

export function chunksOf<Row>(rows: readonly Row[], size = rowsPerStatement): Row[][] {
  const chunks: Row[][] = [];
  for (let start = 0; start < rows.length; start += size) chunks.push(rows.slice(start, start + size));
  return chunks;
}

/**
 * `($1, $2), ($3, $4)` for as many rows: a list that both engines take as a table. A type is named where PostgreSQL cannot know it from
 * the place where the value goes.
 */
export function tuples(rows: number, types: readonly ('bigint' | 'text' | null)[]): string {
  const place = (row: number, column: number): string => {
    const parameter = `$${row * types.length + column + 1}`;
    const type = types[column];
    return type ? `cast(${parameter} as ${type})` : parameter;
  };
  return Array.from({ length: rows }, (_, row) => `(${types.map((_, column) => place(row, column)).join(', ')})`).join(', ');
}
