import { earlierSecrets } from './sealed-shop.ts';

/** A change of the database past the service, and the sentences that must name it. The shop is that of `openSealedShop`. */
interface Attack {
  what: string;
  /** PostgreSQL stores no value of another type. */
  on?: 'sqlite';
  statements: string[];
  found: RegExp[];
}

const bothRowsOf = (orderId: number): string =>
  `movement = (select min(movement) from ledger where order_id = ${orderId} and coupon_id = 1)`;
const balanceFollows = `update coupons set unpaid_minor = (select sum(amount_minor) from ledger where coupon_id = coupons.id and pool = 'unpaid')`;
const copyOf = (table: string, columns: string, change: string, where: string): string =>
  `insert into ${table} (${columns}) select ${change} from ${table} where ${where}`;
export const ledgerColumns = 'movement, coupon_id, pool, amount_minor, reason, order_id, payout_id, user_id, note, created_at';
const webhookColumns = 'id, name, url, events, status, encrypted_secret, created_by, created_at';
const lastDigest = (kind: string, id: number): string =>
  `id = (select max(id) from ledger_digests where kind = '${kind}' and object_id = ${id})`;
const firstDigest = (kind: string, id: number): string =>
  `id = (select min(id) from ledger_digests where kind = '${kind}' and object_id = ${id})`;
const sealOfBeginning = /^Seal 1 of .*: what it covers was changed, or the seal itself \(rows 1 to \d+ of the ledger/;
const second = /^Seal 2 of .*: what it covers was changed/;
const changedOrder = (id: number): RegExp => new RegExp(`^Order ${id} is not what the service wrote last`);

export const attacks: readonly Attack[] = [
  {
    what: 'another amount of a movement from before the key, with its second row and the balance',
    statements: [`update ledger set amount_minor = amount_minor * 2 where ${bothRowsOf(1)}`, balanceFollows],
    found: [sealOfBeginning, /^Order 1 .* says 1000 in unpaid/],
  },
  {
    what: 'the same, with the order and its rates',
    statements: [
      `update ledger set amount_minor = amount_minor * 2 where ${bothRowsOf(1)}`,
      'update orders set commission_minor = 2000, percent_thousandths = 20000 where order_id = 1',
      balanceFollows,
    ],
    found: [sealOfBeginning, changedOrder(1)],
  },
  {
    what: 'another amount of a movement, with its second row, the order and the balance',
    statements: [
      `update ledger set amount_minor = amount_minor * 2 where ${bothRowsOf(4)}`,
      'update orders set commission_minor = 2000, percent_thousandths = 20000 where order_id = 4',
      'update coupons set pending_order_minor = 2000 where id = 1',
    ],
    found: [second, changedOrder(4), /^Movement \S+ \(row \d+ of the ledger, 2000 of coupon 1\) was changed/],
  },
  {
    what: 'the note of a movement',
    statements: [`update ledger set note = 'nothing' where ${bothRowsOf(4)}`],
    found: [second, /^Movement \S+ .* was changed/],
  },
  {
    what: 'a back-dated movement from before the key',
    statements: [`update ledger set created_at = created_at - 86400000 where ${bothRowsOf(1)}`],
    found: [sealOfBeginning],
  },
  {
    what: 'a back-dated movement',
    statements: [`update ledger set created_at = created_at - 86400000 where ${bothRowsOf(4)}`],
    found: [second, /^Movement \S+ .* was changed/],
  },
  {
    what: 'a deleted movement with its order, shares and digests',
    statements: [
      'delete from ledger where order_id = 4',
      'delete from orders where order_id = 4',
      "delete from ledger_digests where object_id = 4 and kind = 'order'",
      'update coupons set pending_order_minor = 0',
    ],
    found: [/^Seal 2 of .* covers \d+ rows, of which 3 were deleted/],
  },
  {
    what: 'a movement that was inserted into a sealed range',
    statements: [`update ledger set id = -id where ${bothRowsOf(7)}`],
    found: [/^Seal 1 of .* covers \d+ rows, and 2 were inserted among them/],
  },
  {
    what: 'two rows of the ledger that swap their places',
    statements: [
      'create table swapped as select id as one, id + 2 as other from ledger where id = (select min(id) + 1 from ledger where order_id = 4)',
      'update ledger set id = -1 where id = (select one from swapped)',
      'update ledger set id = (select one from swapped) where id = (select other from swapped)',
      'update ledger set id = (select other from swapped) where id = -1',
      'drop table swapped',
    ],
    found: [/^Seal 2 of .*/],
  },
  {
    what: 'the coupon of a movement, on both rows',
    statements: [`update ledger set coupon_id = 2 where ${bothRowsOf(5)}`],
    found: [second, /^Movement \S+ .* of coupon 2\) was changed/],
  },
  {
    what: 'an invented movement at the end, with the balance',
    statements: [
      copyOf('ledger', ledgerColumns, ledgerColumns.replace('movement', "'invented.0.AAAAAAAAAAAAAAAAAAAAAA'"), bothRowsOf(7)),
      balanceFollows,
    ],
    found: [/^Movement invented\.0\.\S+ .* was not written by the service/],
  },
  {
    what: 'a movement copied to the end under a name without a mark',
    statements: [
      copyOf(
        'ledger',
        ledgerColumns,
        ledgerColumns.replace('movement', "'invented'").replace('order_id', 'null').replace('reason', "'transfer'"),
        bothRowsOf(7),
      ),
      balanceFollows,
    ],
    found: [/^Movement invented .* was not written by the service/],
  },
  {
    what: 'an invented movement under ids that no page reads, with the balance',
    statements: [
      copyOf(
        'ledger',
        ledgerColumns,
        ledgerColumns.replace('movement', "'invented'").replace('order_id', 'null').replace('reason', "'transfer'"),
        bothRowsOf(7),
      ),
      "update ledger set id = -9007199254740990 - id where movement = 'invented'",
      balanceFollows,
    ],
    found: [/^2 rows of the table ledger cannot be of the service/],
  },
  {
    what: 'the total of an order',
    statements: ['update orders set total_minor = total_minor + 1 where order_id = 3'],
    found: [changedOrder(3)],
  },
  {
    what: 'the rate of an order',
    statements: ['update orders set percent_thousandths = 11000 where order_id = 3'],
    found: [changedOrder(3), /^Order 3 \(coupon 1\) has a commission of 950, but its amounts and rates give 1045\.$/],
  },
  {
    what: 'the rate of an order as a text that SQL reads as another number',
    on: 'sqlite',
    statements: ["update orders set percent_thousandths = '0x2710' where order_id = 3"],
    found: [/^1 row of the table orders cannot be of the service/],
  },
  {
    what: 'the total and the rate of an order that give the same commission',
    statements: ['update orders set total_minor = total_minor * 2, percent_thousandths = 5000 where order_id = 1'],
    found: [changedOrder(1)],
  },
  {
    what: 'an order credited to another coupon, with its movements and balances',
    statements: [
      'update orders set coupon_id = 2 where order_id = 4',
      'update ledger set coupon_id = 2 where order_id = 4',
      `update coupons set pending_order_minor = (select coalesce(sum(amount_minor), 0) from ledger where coupon_id = coupons.id and pool = 'pending_order')`,
    ],
    found: [second, changedOrder(4), /^Movement \S+ .* of coupon 2\) was changed/],
  },
  {
    what: 'an order with the digest of another',
    statements: [
      'update orders set total_minor = total_minor + 1 where order_id = 7',
      `update ledger_digests set digest = (select digest from ledger_digests where ${lastDigest('order', 3)}) where ${lastDigest('order', 7)}`,
    ],
    found: [changedOrder(7)],
  },
  {
    what: 'an order with a further digest that was made up',
    statements: [
      'update orders set total_minor = total_minor + 1 where order_id = 3',
      "insert into ledger_digests (kind, object_id, digest) values ('order', 3, 'AAAAAAAABBBBBBBBBBBBBBBBBBBBBB')",
    ],
    found: [changedOrder(3)],
  },
  {
    what: 'an order that is set back, with its earlier digest written again',
    statements: [
      'update orders set total_minor = 5000, commission_minor = 500 where order_id = 5',
      copyOf('ledger_digests', 'kind, object_id, digest', 'kind, object_id, digest', firstDigest('order', 5)),
    ],
    found: [/^Order 5 was set back to an earlier state/],
  },
  {
    what: 'an order that is set back, with its later digests deleted',
    statements: [
      'update orders set total_minor = 5000, commission_minor = 500 where order_id = 5',
      `delete from ledger_digests where ${lastDigest('order', 5)}`,
    ],
    found: [/^Seal 2 of .* covers \d+ rows, of which 1 were deleted/],
  },
  {
    what: 'an inserted order',
    statements: [
      `insert into orders select order_id + 100, coupon_id, used_coupon_id, day, placed_at, 'cancelled', total_minor, discount_minor, shipping_minor,
        tax_minor, quantity, refunded_minor, percent_thousandths, fixed_per_order_minor, fixed_per_product_minor, 0, 'reversed', null,
        due_at, credited_via, campaign, visitor_hash, handovers from orders where order_id = 3`,
    ],
    found: [/^Order 103 was inserted past the service/],
  },
  {
    what: 'a deleted order',
    statements: ['delete from orders where order_id = 3'],
    found: [/^Order 3 was deleted: its digest is still there\.$/],
  },
  {
    what: 'a share of the parent, with its rate',
    statements: ['update order_shares set amount_minor = amount_minor + 1, rate_thousandths = 9000 where order_id = 3'],
    found: [/^The shares of order 3 is not what the service wrote last/],
  },
  {
    what: 'the amount of a paid payout, with its movements, pools and counts',
    statements: [
      'update payouts set amount_minor = amount_minor + 100 where id = 1',
      'update ledger set amount_minor = amount_minor + 100 where payout_id = 1 and amount_minor > 0',
      'update ledger set amount_minor = amount_minor - 100 where payout_id = 1 and amount_minor < 0',
      'update coupons set paid_minor = paid_minor + 100 where id = 1',
      balanceFollows,
    ],
    found: [second, /^Payout 1 is not what the service wrote last/, /^Movement \S+ .* was changed/],
  },
  {
    what: 'the payee of a payout',
    statements: ['update payouts set user_id = 1 where id = 2'],
    found: [/^Payout 2 is not what the service wrote last/],
  },
  {
    what: 'the day of payment of a payout',
    statements: ["update payouts set paid_at = paid_at - 86400000, paid_day = '2026-11-01' where id = 1"],
    found: [/^Payout 1 is not what the service wrote last/],
  },
  {
    what: 'the status of a payout',
    statements: ["update payouts set status = 'created' where id = 2"],
    found: [/^Payout 2 is not what the service wrote last/],
  },
  {
    what: 'payout details of two affiliates that swap their places',
    statements: [
      'update payout_details set user_id = -1 where user_id = 1',
      'update payout_details set user_id = 1 where user_id = 2',
      'update payout_details set user_id = 2 where user_id = -1',
    ],
    found: [/^The payout details of user 1 is not what the service wrote last/, /^The payout details of user 2 is not/],
  },
  {
    what: 'the destination of an affiliate, replaced by that of another',
    statements: [
      'update payout_details set encrypted_details = (select encrypted_details from payout_details where user_id = 1) where user_id = 2',
    ],
    found: [/^The payout details of user 2 is not what the service wrote last/],
  },
  {
    what: 'deleted payout details',
    statements: ['delete from payout_details where user_id = 2'],
    found: [/^The payout details of user 2 was deleted/],
  },
  {
    what: 'the owner of a coupon',
    statements: ['update coupons set user_id = 1 where id = 1'],
    found: [/^The owner, code and rates of coupon 1 is not what the service wrote last/],
  },
  {
    what: 'the code of a coupon',
    statements: ["update coupons set code = 'MINE10', code_folded = 'mine10' where id = 1"],
    found: [/^The owner, code and rates of coupon 1 is not what the service wrote last/],
  },
  {
    what: 'the rate of a coupon',
    statements: ['update coupons set percent_thousandths = 90000 where id = 1'],
    found: [/^The owner, code and rates of coupon 1 is not what the service wrote last/],
  },
  {
    what: 'the parent of an affiliate',
    statements: ['update users set parent_id = null where id = 2'],
    found: [/^The parent of user 2 is not what the service wrote last/],
  },
  {
    what: 'a parent of an affiliate who has none',
    statements: ['update users set parent_id = 2 where id = 1'],
    found: [/^The parent of user 1 was inserted past the service: there is no digest of it\.$/],
  },
  {
    what: 'parents without digests, and the digest that says that all have one',
    statements: ['update users set parent_id = 1 where id = 2', "delete from ledger_digests where kind = 'parent'"],
    found: [/^Seal 1 of .* rows, of which 2 were deleted/],
  },
  {
    what: 'a made-up digest with SQL in the place of what it was computed from',
    statements: [
      'update payouts set amount_minor = amount_minor + 1 where id = 2',
      `insert into ledger_digests (kind, object_id, digest, before_mark) values ('order', 7, 'AAAAAAAABBBBBBBBBBBBBBBBBBBBBB', '~x'' or ''1'' = ''1:1:')`,
      `insert into ledger_digests (kind, object_id, digest, before_mark) values ('order', 3, 'AAAAAAAABBBBBBBBBBBBBBBBBBBBBB', '~x'':1:~coupon:1e300:~coupon:1.5:')`,
    ],
    found: [changedOrder(7), changedOrder(3), /^Payout 2 is not what the service wrote last/],
  },
  {
    what: 'times beyond all dates',
    statements: [
      'update ledger_seals set created_at = 9007199254740991 where number = 2',
      'update ledger set created_at = -9007199254740991 where payout_id = 2',
      'update store_connections set created_at = 9007199254740991',
    ],
    found: [
      /^Seal 2 of moment 9007199254740991: what it covers was changed/,
      /^Movement \S+ .* was changed/,
      /^The store connection of moment 9007199254740991 /,
    ],
  },
  {
    what: 'amounts whose sum cannot be counted exactly',
    statements: [
      'update ledger set amount_minor = 9007199254740991 where amount_minor > 0',
      'update payout_days set count = 9223372036854775807',
    ],
    found: [second, /^Coupon 1 \(TRAIL10\): unpaid is kept as /, /^Payouts of all on /],
  },
  {
    what: 'a refunded order that cost nothing',
    statements: ['update orders set total_minor = discount_minor where order_id = 3'],
    found: [changedOrder(3), /^Order 3 \(coupon 1\) has a refund of 500 and no price\.$/],
  },
  {
    what: 'a signature with a further character',
    statements: ["update ledger_seals set signature = signature || ' ' where number = 1"],
    found: [/^Seal 1 of .* has a signature that is not of its key\.$/],
  },
  {
    what: 'the deleted last seal',
    statements: ['delete from ledger_seals where number = 2'],
    found: [/^Seal 2 was deleted: event \d+ carries 2\./],
  },
  {
    what: 'the deleted first seal',
    statements: ['delete from ledger_seals where number = 1'],
    found: [/^Seal 1 is missing\.$/],
  },
  {
    what: 'secrets of two webhooks that swap their places',
    statements: [
      'create table swapped as select id, encrypted_secret from webhooks',
      'update webhooks set encrypted_secret = (select encrypted_secret from swapped where swapped.id = 3 - webhooks.id) where id < 3',
      'drop table swapped',
    ],
    found: [
      /^The stored secret webhook_secret of 1 was changed, or belongs to another owner or key\.$/,
      /^The stored secret webhook_secret of 2 /,
    ],
  },
  {
    what: 'an earlier secret of the store',
    statements: [`update store_connections set encrypted_secret = '${earlierSecrets.store}'`],
    found: [/^The store connection of 2026-11-02T\S+ is not what the service wrote last/],
  },
  {
    what: 'a deleted connection of the store',
    statements: ['delete from store_connections'],
    found: [/^The store connection of 2026-11-02T\S+ is not what the service wrote last/],
  },
  {
    what: 'an earlier secret of a webhook',
    statements: [`update webhooks set encrypted_secret = '${earlierSecrets.webhook1}' where id = 1`],
    found: [/^The address and secret of webhook 1 is not what the service wrote last/],
  },
  {
    what: 'the address of a webhook',
    statements: ["update webhooks set url = 'https://three.example/' where id = 1"],
    found: [/^The address and secret of webhook 1 is not what the service wrote last/],
  },
  {
    what: 'an inserted webhook',
    statements: [copyOf('webhooks', webhookColumns, webhookColumns.replace('id', '9'), 'id = 1')],
    found: [/^The address and secret of webhook 9 was inserted past the service/],
  },
  {
    what: 'a secret of the version that was not bound to its owner',
    statements: ["update webhooks set encrypted_secret = 'v1:' || substr(encrypted_secret, 4) where id = 1"],
    found: [/^The stored secret webhook_secret of 1 was changed/],
  },
  {
    what: 'many secrets that were inserted',
    statements: [
      `with recursive numbers as (select 1 as number union all select number + 1 from numbers where number < 120)
       insert into payout_details select 100 + number, 'PayPal', 'paypal', 'v2:AAAA', 1 from numbers`,
    ],
    found: [/^The stored secret payout_details of 101 was changed[^]*\nAnd 70 more like these\.$/],
  },
  {
    what: 'another sealing key',
    statements: ["update stored_keys set sealed = 'v2:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' where name = 'sealing_key'"],
    found: [/^The stored secret sealing_key of sealing_key was changed/],
  },
  { what: 'all seals deleted', statements: ['delete from ledger_seals'], found: [/^Seals 1 to 2 were deleted/] },
  {
    what: 'a back-dated seal',
    statements: ['update ledger_seals set created_at = created_at - 86400000 where number = 2'],
    found: [second],
  },
  {
    what: 'the hash of a seal',
    statements: [`update ledger_seals set hash = '${'0'.repeat(64)}' where number = 1`],
    found: [sealOfBeginning, /^Seal 1 of .* has a signature that is not of its key/],
  },
  {
    what: 'a higher end of unmarked rows, with an unmarked movement',
    statements: ['update ledger_seals set unmarked_to = 100000 where number = 1'],
    found: [sealOfBeginning],
  },
  {
    what: 'a deleted tail: the last seal, everything after it, and half of what it covers',
    statements: [
      'delete from ledger_seals where number = 2',
      'delete from ledger_digests where id > (select digest_id + 5 from ledger_seals where number = 1)',
      'delete from ledger where id > (select ledger_id + 4 from ledger_seals where number = 1)',
    ],
    found: [/^Seal 2 was deleted/, /^Payout 1 was inserted past the service/],
  },
];
