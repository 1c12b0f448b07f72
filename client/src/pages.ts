import type { Page } from './calls.ts';

/** The pages of a collection, first to last; `items()` gives what is on them. */
export interface Pages<Item> extends AsyncIterable<Page<Item>> {
  items(): AsyncIterable<Item>;
}

interface PageQuery {
  page?: number;
  per_page?: number;
}

/**
 * Walks a collection: the call, then what you would give it: `pages(api.coupons.orders, 17, { status: 'completed' })`. 100 on a page when
 * `per_page` is not given.
 *
 * The collection may change meanwhile. `items()` gives nothing twice. It misses nothing that is there all the time, where new items come first
 * (the default order of every collection but affiliates), also when others are taken out: what moved up is read again. What changes its
 * place, as with `orderby: 'unpaid_commission'`, can be missed.
 */
export const pages = <Item, Args extends unknown[]>(list: (...args: Args) => Promise<Page<Item>>, ...args: Args): Pages<Item> => ({
  [Symbol.asyncIterator]: () => walk(list, args),
  items: () => eachOnce(walk(list, args)),
});

async function* walk<Item, Args extends unknown[]>(list: (...args: Args) => Promise<Page<Item>>, args: Args): AsyncGenerator<Page<Item>> {
  const ids = args.filter((argument) => typeof argument === 'number');
  const [query, options] = args.slice(ids.length) as [PageQuery | undefined, unknown];
  const { page: first = 1, per_page = 100 } = query ?? {};
  let before = 0;
  for (let page = first; ; page += 1) {
    const answer = await list(...([...ids, { ...query, page, per_page }, options] as unknown as Args));
    yield answer;
    const taken = before - answer.total;
    before = answer.total;
    if (taken > 0) page = Math.max(first, page - Math.ceil(taken / per_page)) - 1;
    else if (page >= answer.totalPages || answer.items.length === 0) return;
  }
}

async function* eachOnce<Item>(walked: AsyncIterable<Page<Item>>): AsyncGenerator<Item> {
  const given = new Set<unknown>();
  for await (const { items } of walked)
    for (const item of items) {
      const { id, order_id, event } = item as { id?: number; order_id?: number; event?: string };
      const key = id ?? order_id ?? event;
      if (!given.has(key)) yield item;
      given.add(key);
    }
}
