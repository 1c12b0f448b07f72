const names = new Map<string, string>();

/**
 * Lets PostgreSQL parse and plan a statement once for each connection: for the join of one record that takes several times as long as to run
 * it. Only for texts that are built once, because each occupies memory of the server for as long as the connection lives.
 */
export function prepareOnce(sql: string): string {
  if (!names.has(sql)) names.set(sql, `affiliate_${names.size + 1}`);
  return sql;
}

export const preparedName = (sql: string): string | undefined => names.get(sql);
