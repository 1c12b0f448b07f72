import { both, type Change, edit, put, remove } from './change.ts';
import { coupon, document, schemas } from './places.ts';

/** Changes that a good contract may see: no rule of ours has anything to say. */
export const allowances: Change[] = [
  {
    title: 'a nullable reference is shown by the example of the schema it refers to',
    break: remove(`${schemas} > Registration > properties > reviewed_by > examples`),
  },
  {
    title: 'a list is shown by the examples of its items',
    break: remove(`${schemas} > AffiliateDetail > properties > groups > examples`),
  },
  {
    title: 'the security alternatives come in any order',
    break: edit(`${document} > security`, (alternatives) => alternatives.toReversed()),
  },
  {
    title: 'a `$ref` may bring the bounds that its schema lacks',
    break: both(
      put(`${schemas} > Year`, { description: 'A year.', type: 'integer', examples: [2026] }),
      put(`${schemas} > KeyRequest > properties > year`, { $ref: '#/components/schemas/Year', minimum: 2000, maximum: 2100 }),
    ),
  },
  {
    title: 'a request may hold a map',
    break: put(`${schemas} > PayoutDetailsChange > properties > labels`, {
      type: 'object',
      maxProperties: 9,
      additionalProperties: { type: 'boolean' },
      description: 'Labels.',
      examples: [{ a: true }],
    }),
  },
  {
    title: 'a default may stand next to a `$ref`',
    break: both(put(`${schemas} > KeyRequest > properties > user_id > default`, 42), put(`${schemas} > KeyRequest > default`, {})),
  },
  {
    title: 'a parameter may stand on the path instead of each operation',
    break: both(
      remove(`${coupon} > parameters`),
      put('paths > /coupons/{id} > parameters', [{ $ref: '#/components/parameters/CouponId' }]),
    ),
  },
];
