import type { Faults, TypedRequest } from './read-request.ts';

// A NUL ends a text in C, and half of a surrogate pair is no character at all: PostgreSQL refuses both, SQLite keeps them as they are.
// JSON Schema cannot say so for every string, so it is said here, once.
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** No deeper than lists of texts: the contract has nothing deeper, and what a caller nests a hundred thousand times is refused as no text. */
const holdsUnstorable = (value: unknown): boolean => [value].flat().some((text) => typeof text === 'string' && !isStorable(text));

/** Text that no database could give back as it was sent is refused, whichever engine is behind. */
export function refuseUnstorable({ path, query, header, requestBody }: TypedRequest, faults: Faults): void {
  const body = typeof requestBody === 'object' && requestBody !== null ? requestBody : {};
  for (const part of [path, query, header, body])
    for (const [name, value] of Object.entries(part))
      if (holdsUnstorable(value)) faults[name] ??= `${name} holds a character that cannot be stored.`;
}
