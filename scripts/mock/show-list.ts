/** What a request shows of an example, and what the headers tell about the rest of it. */
export interface Shown {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, number>>;
}

interface Asked {
  readonly page?: number;
  readonly per_page?: number;
  readonly after?: number;
}

/** Pages of an example list, and the change feed behind a cursor, so that a client that turns pages or polls comes to an end. */
export function showList(body: unknown, query: Readonly<Record<string, unknown>>): Shown {
  if (!Array.isArray(body)) return { body, headers: {} };
  const { page = 1, per_page: perPage = 20, after } = query as Asked;
  const rows = after === undefined ? body : body.filter((row) => idOf(row) > after).toSorted((one, other) => idOf(one) - idOf(other));
  const first = after === undefined ? (page - 1) * perPage : 0;
  const shown = rows.slice(first, first + perPage);
  return {
    body: shown,
    headers: {
      'X-Svc-Total': rows.length,
      'X-Svc-TotalPages': Math.ceil(rows.length / perPage),
      'X-Svc-Last-Event': Math.max(after ?? 0, ...shown.map(idOf)),
    },
  };
}

function idOf(row: unknown): number {
  return (row as { id?: number }).id ?? 0;
}
