/** What a caller asks of a collection. */
export interface Page {
  page: number;
  perPage: number;
}

/** One page of a collection, and how much there is in all. */
export interface Paged<Item> {
  items: Item[];
  total: number;
}

export const offsetOf = ({ page, perPage }: Page): number => (page - 1) * perPage;

export const totalPages = (total: number, perPage: number): number => Math.ceil(total / perPage);

/** A page past the end does not run the underlying query. */
export const isPastTheEnd = (page: Page, total: number): boolean => offsetOf(page) >= total;
