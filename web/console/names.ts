import { useLoad } from './load.tsx';
import { api, getMe, isServed } from './session.ts';

let listed: Promise<ReadonlyMap<number, string>> | undefined;

/** One request has the names of most programs. */
function listNames(): Promise<ReadonlyMap<number, string>> {
  listed ??= api.affiliates.list({ per_page: 100 }).then(({ items }) => new Map(items.map(({ user }) => [user.id, user.display_name])));
  return listed;
}

/** The names of affiliates by id, as far as they are known. Lists have the ids only. */
export function useNames(): (id: number) => string {
  const { value } = useLoad(isServed('get_affiliates') ? listNames : null, []);
  const { user } = getMe();
  return (id) => (id === user.id ? user.display_name : (value?.get(id) ?? `#${id}`));
}
