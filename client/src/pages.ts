import type { Page } from './api.ts';

/** The pages of a collection, first to last. `items()` iterates over their items. */
export interface Pages<Item> extends AsyncIterable<Page<Item>> {
  items(): AsyncIterable<Item>;
}

interface PageQuery {
  page?: number;
  per_page?: number;
}

/**
 * Iterates over a collection. Pass the call and its arguments: `pages(api.coupons.orders, 17, { status: 'completed' })`. `per_page` is 100 by
 * default.
 *
 * The collection may change during the iteration. `items()` returns no item twice, unless the pages name no `key`. If new items are first (the
 * default order of every collection but affiliates), it skips no item that exists all the time, even when others are deleted: the pages that moved
 * up are read again. Items that change their position, as with `orderby: 'unpaid_commission'`, can be skipped.
 */
export const pages = <Item, Args extends unknown[]>(list: (...args: Args) => Promise<Page<Item>>, ...args: Args): Pages<Item> => ({
  [Symbol.asyncIterator]: () => listPages(list, args),
  items: () => uniqueItems(listPages(list, args)),
});

async function* listPages<Item, Args extends unknown[]>(
  list: (...args: Args) => Promise<Page<Item>>,
  args: Args,
): AsyncGenerator<Page<Item>> {
  const ids = args.filter((argument) => ['number', 'string'].includes(typeof argument));
  const [query, options] = args.slice(ids.length) as [PageQuery | undefined, unknown];
  const { page: first = 1, per_page = 100 } = query ?? {};
  let previousTotal = 0;
  for (let page = first; ; page += 1) {
    const result = await list(...([...ids, { ...query, page, per_page }, options] as unknown as Args));
    yield result;
    const deleted = previousTotal - result.total;
    previousTotal = result.total;
    if (deleted > 0) page = Math.max(first, page - Math.ceil(deleted / per_page)) - 1;
    else if (page >= result.totalPages || result.items.length === 0) return;
  }
}

async function* uniqueItems<Item>(pages: AsyncIterable<Page<Item>>): AsyncGenerator<Item> {
  const seen = new Set<unknown>();
  for await (const { items, key } of pages)
    for (const item of items) {
      const value = key === undefined ? item : item[key as keyof Item];
      if (!seen.has(value)) yield item;
      seen.add(value);
    }
}
