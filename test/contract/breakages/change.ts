export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonMap = { [key: string]: Json };

/** A change of the contract. A rule reports it at `at`: keys joined by ` > `. */
interface Edit {
  at: string;
  apply(contract: Json): void;
}

export interface Change {
  title: string;
  break: Edit;
}

export interface Breakage extends Change {
  says: RegExp;
  /** The place that is reported, where it is not that of the change. */
  at?: string;
}

export type BreakagesByRule = Record<string, Breakage[]>;

function walk(contract: Json, place: string): { holder: JsonMap; key: string } {
  const keys = place.split(' > ');
  const key = keys.pop() ?? '';
  const holder = keys.reduce<Json | undefined>((node, step) => (node as JsonMap | undefined)?.[step], contract);
  if (typeof holder !== 'object' || holder === null) throw new Error(`The contract has no ${place}, so this breakage tests nothing.`);
  return { holder: holder as JsonMap, key };
}

export const put = (place: string, value: Json): Edit => ({
  at: place,
  apply(contract) {
    const { holder, key } = walk(contract, place);
    holder[key] = value;
  },
});

/** What is missing is reported at its parent. */
export const remove = (place: string): Edit => ({
  at: place.slice(0, place.lastIndexOf(' > ')),
  apply(contract) {
    const { holder, key } = walk(contract, place);
    if (!(key in holder)) throw new Error(`The contract has no ${place}, so this breakage tests nothing.`);
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  },
});

/** Changes the list at a place. */
export const edit = (place: string, change: (list: Json[]) => Json[]): Edit => ({
  at: place,
  apply(contract) {
    const { holder, key } = walk(contract, place);
    const list = holder[key];
    if (!Array.isArray(list)) throw new Error(`${place} is no list, so this breakage tests nothing.`);
    const changed = change(list);
    if (JSON.stringify(changed) === JSON.stringify(list)) throw new Error(`${place} stays as it is, so this breakage tests nothing.`);
    holder[key] = changed;
  },
});

export const without = (place: string, item: Json): Edit =>
  edit(place, (list) => list.filter((other) => JSON.stringify(other) !== JSON.stringify(item)));
export const withMore = (place: string, item: Json): Edit => edit(place, (list) => [...list, item]);

export const both = (first: Edit, ...others: Edit[]): Edit => ({
  at: first.at,
  apply(contract) {
    for (const change of [first, ...others]) change.apply(contract);
  },
});
