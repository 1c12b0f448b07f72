export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonMap = { [key: string]: Json };

export interface Change {
  title: string;
  break: (contract: Json) => void;
}

export interface Breakage extends Change {
  rule: string;
  says: RegExp;
  /** The place that is reported, as keys joined by ` > `. */
  at: string;
}

function walk(contract: Json, place: string): { holder: JsonMap; key: string } {
  const keys = place.split(' > ');
  const key = keys.pop() ?? '';
  const holder = keys.reduce<Json | undefined>((node, step) => (node as JsonMap | undefined)?.[step], contract);
  if (typeof holder !== 'object' || holder === null) throw new Error(`The contract has no ${place}, so this breakage tests nothing.`);
  return { holder: holder as JsonMap, key };
}

export const put = (place: string, value: Json) => (contract: Json) => {
  const { holder, key } = walk(contract, place);
  holder[key] = value;
};

export const remove = (place: string) => (contract: Json) => {
  const { holder, key } = walk(contract, place);
  if (!(key in holder)) throw new Error(`The contract has no ${place}, so this breakage tests nothing.`);
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
};

/** Changes the list at a place. */
export const edit = (place: string, change: (list: Json[]) => Json[]) => (contract: Json) => {
  const { holder, key } = walk(contract, place);
  const list = holder[key];
  if (!Array.isArray(list)) throw new Error(`${place} is no list, so this breakage tests nothing.`);
  const changed = change(list);
  if (JSON.stringify(changed) === JSON.stringify(list)) throw new Error(`${place} stays as it is, so this breakage tests nothing.`);
  holder[key] = changed;
};

export const without = (place: string, item: Json) =>
  edit(place, (list) => list.filter((other) => JSON.stringify(other) !== JSON.stringify(item)));
export const withMore = (place: string, item: Json) => edit(place, (list) => [...list, item]);

export const both =
  (...breaks: ((contract: Json) => void)[]) =>
  (contract: Json) => {
    for (const change of breaks) change(contract);
  };
