export interface Answer {
  statusCode: number;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

/** What stands in the answer in the places that a condition looks at: `$response.body#/status is "pending"`. */
export const foundBy = (condition: string, answer: Answer): string[] =>
  [...condition.matchAll(/\$statusCode|\$response\.header\.[\w-]+|\$response\.body#[\w/-]+/g)].map(
    ([place]) => `${place} is ${seen(place, answer)}`,
  );

function seen(place: string, answer: Answer): string {
  // A key that is shown on a terminal ends in somebody's log.
  if (/(token|secret)$/.test(place)) return 'not shown here';
  return JSON.stringify(valueAt(place, answer)) ?? 'not there';
}

function valueAt(place: string, { statusCode, headers, body }: Answer): unknown {
  if (place === '$statusCode') return statusCode;
  const [, header] = /^\$response\.header\.(.+)$/.exec(place) ?? [];
  if (header !== undefined) return headers[header.toLowerCase()];
  const keys = place.slice('$response.body#/'.length).split('/');
  return keys.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), body);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
