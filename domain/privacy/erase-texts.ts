/** Texts of events that are no one's: statuses and kinds, dates, and coupon codes, which stay. */
const facts = new Set(['status', 'date', 'date_paid', 'method_type', 'coupon']);

/** What an event or a webhook delivery is about, without the texts that people have written. */
export function eraseTexts(value: unknown, placeholder: string): unknown {
  if (typeof value === 'string') return placeholder;
  if (Array.isArray(value)) return value.map((item) => eraseTexts(item, placeholder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, facts.has(name) && typeof item === 'string' ? item : eraseTexts(item, placeholder)]),
  );
}
