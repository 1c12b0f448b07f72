import type { Engine } from '../support/engines.ts';

interface Statements {
  attack: string[];
  undo: string[];
  found: RegExp[];
}

/** A change of the schema past the service. */
interface SchemaAttack extends Partial<Record<Engine['name'], Statements>> {
  what: string;
  /** Settings of the database count from the next connection on; pages and rows of indexes are compared by a check of their own. */
  of?: 'settings' | 'pages';
}

const digestIndex = 'index ledger_digests_of_object on ledger_digests (kind, object_id, id)';
const withoutDigests = 'drop index ledger_digests_of_object';
const partialIndex = [withoutDigests, `create ${digestIndex} where id <> 3`];
const fullIndex = [withoutDigests, `create ${digestIndex}`];
const renamed = 'alter table payout_details rename to saved_details';
const renamedBack = 'alter table saved_details rename to payout_details';

/** As a person does who can write to the file: the text of the schema says one thing, the pages another. */
const rewritten = (name: string, sql: string): string[] => [
  'pragma writable_schema = on',
  `update sqlite_master set sql = ${sql} where name = '${name}'`,
  'pragma writable_schema = reset',
];

const primaryKey = 'integer primary key autoincrement';

const foreignFunction = `create function intrude() returns trigger language plpgsql as $$ begin new.amount_minor = 1; return new; end $$`;

export const schemaAttacks: readonly SchemaAttack[] = [
  {
    what: 'an index without the row of a digest',
    sqlite: {
      attack: partialIndex,
      undo: fullIndex,
      found: [/^The index ledger_digests_of_object of ledger_digests was changed: it has "id\) where id <> 3" where .* have "id\)"\.$/],
    },
    postgres: {
      attack: partialIndex,
      undo: fullIndex,
      found: [/^The index ledger_digests_of_object of ledger_digests was changed: it has "id\) WHERE \(id <> 3\)" where .* have "id\)"\.$/],
    },
  },
  {
    what: 'an index without a row that claims to have it',
    of: 'pages',
    sqlite: {
      attack: [...partialIndex, ...rewritten('ledger_digests_of_object', `'CREATE ${digestIndex}'`)],
      undo: ['reindex ledger_digests_of_object', ...rewritten('ledger_digests_of_object', `'create ${digestIndex}'`)],
      found: [/^The database is damaged: wrong # of entries in index ledger_digests_of_object\. /],
    },
    postgres: {
      attack: [...partialIndex, "update pg_index set indpred = null where indexrelid = 'ledger_digests_of_object'::regclass"],
      undo: fullIndex,
      found: [/^The database is damaged: the index ledger_digests_of_object has (\d+) of (?!\1)\d+ rows of ledger_digests\. /],
    },
  },
  {
    what: 'a missing index',
    sqlite: { attack: [withoutDigests], undo: [`create ${digestIndex}`], found: [/^The index ledger_digests_of_object .* is missing/] },
    postgres: { attack: [withoutDigests], undo: [`create ${digestIndex}`], found: [/^The index ledger_digests_of_object .* is missing/] },
  },
  {
    what: 'a view in place of a table',
    sqlite: {
      attack: [renamed, 'create view payout_details as select * from saved_details where user_id <> 2'],
      undo: ['drop view payout_details', renamedBack],
      found: [/^The table payout_details was changed: it has "VIEW payout_details as select \* from .*" where the migrations have "TABLE/],
    },
    postgres: {
      attack: [renamed, 'create view payout_details as select * from saved_details where user_id <> 2'],
      undo: ['drop view payout_details', renamedBack],
      found: [/^The table payout_details was changed: it has "view, reads table saved_details" where the migrations have "table"\.$/],
    },
  },
  {
    what: 'a table without its primary key, and a row twice',
    sqlite: {
      attack: [
        renamed,
        'create table payout_details as select * from saved_details',
        'insert into payout_details select * from saved_details where user_id = 2',
      ],
      undo: ['drop table payout_details', renamedBack],
      found: [/^The table payout_details was changed: it has .*/],
    },
    postgres: {
      attack: [
        'alter table payout_details drop constraint payout_details_pkey',
        'insert into payout_details select * from payout_details where user_id = 2',
      ],
      undo: [
        'delete from payout_details where user_id = 2 and ctid > (select min(ctid) from payout_details where user_id = 2)',
        'alter table payout_details add constraint payout_details_pkey primary key (user_id)',
      ],
      found: [/^The constraint payout_details_pkey of payout_details is missing/, /^The index payout_details_pkey of .* is missing/],
    },
  },
  {
    what: 'a unique index that refuses rows',
    sqlite: {
      attack: ['create unique index other on payouts (user_id, id)'],
      undo: ['drop index other'],
      found: [/^The index other of payouts is none that the migrations create: CREATE UNIQUE INDEX other on payouts \(user_id, id\)\.$/],
    },
    postgres: {
      attack: ['create unique index other on payouts (user_id, id)'],
      undo: ['drop index other'],
      found: [/^The index other of payouts is none that the migrations create: CREATE UNIQUE INDEX other ON payouts .*\.$/],
    },
  },
  {
    what: 'an index whose expression fails for some rows',
    sqlite: {
      attack: ["create index other on orders (case when coupon_id = 3 and refunded_minor > 0 then json('x') end)"],
      undo: ['drop index other'],
      found: [/^The index other of orders is none that the migrations create: CREATE INDEX other on orders \(case when .*\.$/],
    },
    postgres: {
      attack: [
        'create index other on orders ((case when coupon_id = 3 and refunded_minor > 0 then 1 / (refunded_minor - refunded_minor) end))',
      ],
      undo: ['drop index other'],
      found: [/^The index other of orders is none that the migrations create: CREATE INDEX other ON orders .*CASE.*\.$/],
    },
  },
  {
    what: 'an index whose condition fails for some rows',
    sqlite: {
      attack: ['create index other on orders (order_id) where abs(refunded_minor) > 0'],
      undo: ['drop index other'],
      found: [/^The index other of orders is none that the migrations create: CREATE INDEX other on orders \(order_id\) where abs.*\.$/],
    },
    postgres: {
      attack: ['create index other on orders (order_id) where 1 / (1 + refunded_minor) > 0'],
      undo: ['drop index other'],
      found: [/^The index other of orders is none that the migrations create: CREATE INDEX other ON orders .* WHERE .*\.$/],
    },
  },
  {
    what: 'an index whose operator class puts a row where no one finds it',
    postgres: {
      attack: [
        `create function other_order(bigint, bigint) returns int language sql immutable strict as $$
          select btint8cmp(case $1 when 3 then 1000 else $1 end, case $2 when 3 then 1000 else $2 end) $$`,
        `create operator class other_order for type bigint using btree as
          operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 other_order(bigint, bigint)`,
        'create index other on orders (order_id other_order)',
      ],
      undo: ['drop index other', 'drop operator family other_order using btree', 'drop function other_order'],
      found: [/^The index other of orders is none that the migrations create: CREATE INDEX other ON orders .*other_order\)\.$/],
    },
  },
  {
    what: 'ids that a connection takes in advance',
    postgres: {
      attack: ['alter sequence ledger_id_seq cache 500'],
      undo: ['alter sequence ledger_id_seq cache 1'],
      found: [/^The sequence ledger_id_seq of ledger was changed: it has ".*, 500 at a time" where .*/],
    },
  },
  {
    what: 'a trigger of others',
    sqlite: {
      attack: ['create trigger other after insert on orders begin update coupons set unpaid_minor = unpaid_minor + 1; end'],
      undo: ['drop trigger other'],
      found: [/^The trigger other of orders is none that the migrations create: CREATE TRIGGER other .*\.$/],
    },
    postgres: {
      attack: [foreignFunction, 'create trigger other before insert on payouts for each row execute function intrude()'],
      undo: ['drop trigger other on payouts', 'drop function intrude'],
      found: [/^The trigger other of payouts is none that .*/, /^The function intrude\(\) is none that .*amount_minor = 1.*/],
    },
  },
  {
    what: 'a trigger that refuses nothing any more',
    sqlite: {
      attack: [
        'drop trigger ledger_refuses_update',
        'create trigger ledger_refuses_update before update on ledger begin select raise(ignore); end',
      ],
      undo: [
        'drop trigger ledger_refuses_update',
        `create trigger ledger_refuses_update before update on ledger begin select raise(abort, 'The ledger is only ever added to: its rows are neither changed nor deleted.'); end`,
      ],
      found: [
        /^The trigger ledger_refuses_update of ledger was changed: it has "raise\(ignore\); end" where the migrations have "raise\(abort, .*/,
      ],
    },
    postgres: {
      attack: ['alter table ledger disable trigger ledger_is_sealed'],
      undo: ['alter table ledger enable trigger ledger_is_sealed'],
      found: [/^The trigger ledger_is_sealed of ledger was changed: it has "refuse_to_change_ledger\(\), disabled" where .*/],
    },
  },
  {
    what: 'a generated column',
    sqlite: {
      attack: ['alter table payouts add column twice bigint generated always as (amount_minor * 2)'],
      undo: ['alter table payouts drop column twice'],
      found: [/^The table payouts was changed: it has .*twice bigint generated always as .*/],
    },
    postgres: {
      attack: ['alter table payouts add column twice bigint generated always as (amount_minor * 2) stored'],
      undo: ['alter table payouts drop column twice'],
      found: [/^The column twice of payouts is none that the migrations create: bigint generated as \(amount_minor \* 2\)\.$/],
    },
  },
  {
    what: 'another default',
    sqlite: {
      attack: rewritten('coupons', `replace(sql, 'unpaid_minor bigint not null default 0', 'unpaid_minor bigint not null default 500')`),
      undo: rewritten('coupons', `replace(sql, 'unpaid_minor bigint not null default 500', 'unpaid_minor bigint not null default 0')`),
      found: [/^The table coupons was changed: it has "500, .*" where the migrations have "0, .*/],
    },
    postgres: {
      attack: ['alter table coupons alter column unpaid_minor set default 500'],
      undo: ['alter table coupons alter column unpaid_minor set default 0'],
      found: [/^The column unpaid_minor of coupons was changed: it has "500" where the migrations have "0"\.$/],
    },
  },
  {
    what: 'a condition of an index that became a text',
    sqlite: {
      attack: ['drop index coupons_published', `create index coupons_published on coupons (user_id) where "status = 'publish'"`],
      undo: ['drop index coupons_published', "create index coupons_published on coupons (user_id) where status = 'publish'"],
      found: [/^The index coupons_published of coupons was changed: it has ""status = 'publish'"" where .* have "status = 'publish'"\.$/],
    },
  },
  {
    what: 'row security',
    postgres: {
      attack: ['create policy other on orders using (order_id <> 3)', 'alter table orders enable row level security'],
      undo: ['alter table orders disable row level security', 'drop policy other on orders'],
      found: [/^The table orders was changed: it has "table, with row security" where .*/, /^The policy other of orders is none .*/],
    },
  },
  {
    what: 'a rule',
    postgres: {
      attack: ['create rule other as on insert to ledger_digests do instead nothing'],
      undo: ['drop rule other on ledger_digests'],
      found: [/^The rule other of ledger_digests is none that the migrations create: CREATE RULE other .* DO INSTEAD NOTHING;\.$/],
    },
  },
  {
    what: 'a rule that was given the name of those that views have',
    postgres: {
      attack: ['create rule other as on update to orders do instead nothing', 'alter rule other on orders rename to "_RETURN"'],
      undo: ['drop rule "_RETURN" on orders'],
      found: [/^The rule _RETURN of orders is none that the migrations create: CREATE RULE "_RETURN" .* DO INSTEAD NOTHING;\.$/],
    },
  },
  {
    what: 'a primary key that became the name of a type',
    sqlite: {
      attack: rewritten('payouts', `replace(sql, '${primaryKey}', '${primaryKey.replaceAll(' ', '\u00a0')}')`),
      // A change of the schema, after which other connections read its texts again.
      undo: [
        ...rewritten('payouts', `replace(sql, '${primaryKey.replaceAll(' ', '\u00a0')}', '${primaryKey}')`),
        ...['create table other (id bigint)', 'drop table other'],
      ],
      found: [/^The table payouts was changed: it has .*/],
    },
  },
  {
    what: 'rows of a child table',
    postgres: {
      attack: ['create table more_movements () inherits (ledger)'],
      undo: ['drop table more_movements'],
      found: [/^The child table \S*more_movements of ledger is none that the migrations create: its rows are read as rows of ledger\.$/],
    },
  },
  {
    what: 'references that are not checked',
    postgres: {
      attack: ['alter table ledger disable trigger all', 'alter table ledger enable trigger user'],
      undo: ['alter table ledger enable trigger all'],
      found: [/^The constraint ledger_coupon_id_fkey of ledger was changed: it has "coupons\(id\), disabled" where .*/],
    },
  },
  {
    what: 'another body of a function',
    postgres: {
      attack: ['create or replace function refuse_to_change_ledger() returns trigger language plpgsql as $$ begin return null; end $$'],
      undo: [
        `create or replace function refuse_to_change_ledger() returns trigger language plpgsql as $$ begin
          raise exception 'The ledger is only ever added to: its rows are neither changed nor deleted.'; end $$`,
      ],
      found: [
        /^The function refuse_to_change_ledger\(\) was changed: it has "return null; end" where the migrations have "raise exception .*/,
      ],
    },
  },
  {
    what: 'a function with a name of PostgreSQL',
    postgres: {
      attack: ["create function concat_ws(text, text, text) returns text language sql as $$ select '' $$"],
      undo: ['drop function public.concat_ws(text, text, text)'],
      found: [/^The function public\.concat_ws\(text,text,text\) is none .*: it has the name of a function of PostgreSQL\.$/],
    },
  },
  {
    what: 'a function with a name of PostgreSQL that was added to an extension',
    postgres: {
      attack: [
        "create function concat_ws(text, text, text) returns text language sql as $$ select '' $$",
        'alter extension plpgsql add function public.concat_ws(text, text, text)',
      ],
      undo: [
        'alter extension plpgsql drop function public.concat_ws(text, text, text)',
        'drop function public.concat_ws(text, text, text)',
      ],
      found: [/^The function public\.concat_ws\(text,text,text\) is none .*: it has the name of a function of PostgreSQL\.$/],
    },
  },
  {
    what: 'triggers that are disabled by a setting',
    of: 'settings',
    postgres: {
      attack: ["do $$ begin execute format('alter database %I set session_replication_role = replica', current_database()); end $$"],
      undo: ["do $$ begin execute format('alter database %I reset session_replication_role', current_database()); end $$"],
      found: [/^The setting session_replication_role is none .*: it is replica, and disables triggers\.$/],
    },
  },
];
