/** What a line of a program file tells of. Decision 14. */
export const kinds = ['user', 'coupon', 'order', 'click', 'registration', 'payout_details'] as const;
export type Kind = (typeof kinds)[number];

export const isKind = (word: unknown): word is Kind => kinds.includes(word as Kind);

/** What a shop would call such a file: `orders.csv`, `order-2026-11.csv`, `payout-details.csv`. */
export function kindOfName(file: string): Kind | undefined {
  const name = file
    .replace(/^.*[\\/]/, '')
    .toLowerCase()
    .replaceAll('-', '_');
  return kinds.find((kind) => new RegExp(`^${kind}s?(?![a-z])`).test(name));
}
