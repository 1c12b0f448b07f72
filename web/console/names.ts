import { signal } from '@preact/signals';
import { api, getMe, isServed } from './session.ts';

/** The names of affiliates by id, for lists that have the ids only. Null for a person that is no affiliate. */
const names = signal<ReadonlyMap<number, string | null>>(new Map());
const wanted = new Set<number>();
let listed: Promise<boolean> | undefined;
let running: Promise<void> | undefined;

/** The affiliates of a larger program are read one by one, as they are shown. */
const mostPages = 4;

export const addName = (id: number, name: string | null): void => void (names.value = new Map(names.value).set(id, name));

/** The name as far as it is known. The first unknown one starts loading, so that the list itself is not delayed. */
export function nameOf(id: number): string {
  const { user } = getMe();
  const name = id === user.id ? user.display_name : names.value.get(id);
  if (typeof name === 'string') return name;
  if (name === null || !isServed('get_affiliates')) return `#${id}`;
  wanted.add(id);
  running ??= loadWanted().finally(() => {
    running = undefined;
  });
  return '…';
}

async function loadWanted(): Promise<void> {
  listed ??= listNames().catch(() => false);
  const hasAll = await listed;
  for (const id of wanted) {
    wanted.delete(id);
    if (names.value.has(id)) continue;
    const affiliate = !hasAll && isServed('get_affiliates_id') ? await api.affiliates.get(id).catch(() => null) : null;
    addName(id, affiliate?.user.display_name ?? null);
  }
}

/** Resolves to whether these are the names of all. */
async function listNames(): Promise<boolean> {
  const scope = isServed('post_affiliates_id_status') ? { coupons: 'any' as const } : {};
  for (let page = 1; ; page += 1) {
    const { items, totalPages } = await api.affiliates.list({ ...scope, page, per_page: 100 });
    names.value = new Map([...names.value, ...items.map(({ user }) => [user.id, user.display_name] as const)]);
    if (page >= totalPages || totalPages > mostPages) return page >= totalPages;
  }
}
