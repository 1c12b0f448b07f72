/** What a database consists of: `index x of y` and its definition, and so on. */
export type Catalog = ReadonlyMap<string, string>;

export interface FoundObject {
  what: string;
  definition: string;
  /** Whether it changes neither what is read nor what is written, so that it may be there in addition. */
  isHarmless: boolean;
}

/** Characters that a sentence shows of a definition. */
const shown = 80;

/** A sentence for each object that is missing, was changed, or was added. */
export function compareCatalogs(expected: Catalog, found: readonly FoundObject[]): string[] {
  const present = new Map(found.map(({ what, definition }) => [what, definition]));
  const differing = [...expected].filter(([what, definition]) => present.get(what) !== definition);
  const otherTables = differing.filter(([what]) => what.startsWith('table ')).map(([what]) => what.replace('table', ' of'));
  const changed = differing
    // A view has none of the parts of the table that it replaces.
    .filter(([what]) => !otherTables.some((table) => what.endsWith(table)))
    .map(([what, definition]) => describeChange(what, present.get(what), definition));
  const added = found
    .filter(({ what, isHarmless }) => !isHarmless && !expected.has(what))
    .map(({ what, definition }) => `The ${what} is none that the migrations create: ${shorten(definition)}.`);
  return [...changed, ...added];
}

const describeChange = (what: string, actual: string | undefined, expected: string): string =>
  actual === undefined
    ? `The ${what} is missing: the migrations create it.`
    : `The ${what} was changed: it has ${differenceOf(actual, expected)}`;

/** Shows both definitions from the word on in which they differ. */
function differenceOf(actual: string, expected: string): string {
  const length = [...actual].findIndex((character, index) => character !== expected[index]);
  const from = (length < 0 ? actual : actual.slice(0, length)).search(/\S*$/);
  return `${quote(actual.slice(from))} where the migrations have ${quote(expected.slice(from))}.`;
}

const quote = (text: string): string => (text.trim() === '' ? 'nothing' : `"${shorten(text.trim())}"`);

const shorten = (text: string): string => (text.length > shown ? `${text.slice(0, shown)}…` : text);

/** Names of tables and views. */
export const tablesOf = (catalog: Catalog): string[] =>
  [...catalog.keys()].filter((what) => what.startsWith('table ')).map((what) => what.slice('table '.length));

/** What SQL takes for space. A no-break space is a letter there: `integer primary key` with such is the name of a type. */
export const normalizeSpace = (text: string): string => text.replaceAll(/[\t\n\f\r ]+/g, ' ').replaceAll(/^ | $/g, '');
