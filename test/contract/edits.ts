import { both, type Change, edit, put, remove, without } from './breakages/change.ts';
import { coupon, coupons, parameters, payoutList, payoutPaid, payoutRequest, payoutStatus, schemas } from './breakages/places.ts';

/**
 * An edit that lint accepts, and what the check of breaking changes says of it: nothing where no client loses anything. The edits that lint
 * refuses are in breakages/; Redocly's part of the check is tested in breaking-changes.test.ts.
 */
export interface Edit extends Change {
  /** The message with its field; null for a compatible change. */
  check: RegExp | null;
  /** What a file of generated/ says then. */
  generates?: readonly [file: string, text: RegExp | string];
}

const owners = 'x-access-levels';
const catalog = 'x-add-on-catalog';
const headers = 'components > headers';
const keyRequest = `${schemas} > KeyRequest > properties`;
const delivery = `${payoutPaid} > requestBody > content > application/json > schema`;
const text = (more: object = {}) => ({ type: 'string', maxLength: 9, description: 'A note.', examples: ['n'], ...more });

export const edits: Edit[] = [
  // Defaults.
  {
    title: 'a default of a request field is changed',
    break: put(`${keyRequest} > scopes > default`, ['write']),
    check: /^default: Was \["read"\] and is \["write"\]\.$/,
    generates: ['operations.ts', "scopes: ['write']"],
  },
  {
    title: 'a default of a request field is removed',
    break: remove(`${keyRequest} > scopes > default`),
    check: /^default: Was \["read"\] and is gone\.$/,
  },
  {
    title: 'a request field gets a default',
    break: put(`${keyRequest} > user_id > default`, 42),
    check: /^default: Is 42 from now on; it was not there before\.$/,
    generates: ['operations.ts', 'user_id: 42'],
  },
  {
    title: 'a default of a parameter is changed',
    break: put(`${parameters} > OrderDescending > schema > default`, 'asc'),
    check: /^default: Was "desc" and is "asc"\.$/,
  },
  // Request fields.
  {
    title: 'a field of a request is removed',
    break: remove(`${keyRequest} > expires`),
    check: /^expires: A request that sends it is accepted, and it is ignored from now on\.$/,
  },
  {
    title: 'a field of a request is renamed',
    break: both(put(`${keyRequest} > ends`, text()), remove(`${keyRequest} > expires`)),
    check: /^expires: A request that sends it is accepted/,
  },
  {
    title: 'a request gets an optional field',
    break: put(`${keyRequest} > note`, text()),
    check: null,
    generates: ['api.d.ts', /note\?: string/],
  },
  {
    title: 'a request gets an optional field with a default, which clients need not send',
    break: put(`${keyRequest} > note`, text({ default: 'n' })),
    check: null,
    generates: ['api.d.ts', /note\?: string/],
  },
  {
    title: 'a field of a request gets an add-on',
    break: put(`${keyRequest} > expires > x-add-ons`, ['management']),
    check: /^x-add-ons: Is \["management"\] from now on/,
  },
  {
    title: 'a field of a request gets an edition',
    break: put(`${keyRequest} > expires > x-edition`, 'pro'),
    check: /^x-edition: Is "pro" from now on/,
  },
  {
    title: 'a field of a request gets a switch group',
    break: put(`${keyRequest} > expires > x-switch-group`, 'payouts'),
    check: /^x-switch-group: Is "payouts" from now on/,
  },
  // Error codes.
  {
    title: 'an error code of a shared response is replaced',
    break: edit('components > responses > NotFound > x-error-codes', (codes) => [...codes.slice(1), 'svc_api_gone']),
    check: /^x-error-codes: No longer answers 404 \w+, nor do \d+ other operations\.$/,
  },
  {
    title: 'an error code of an operation is removed',
    break: without(`${payoutRequest} > x-error-codes > 400`, 'svc_api_below_threshold'),
    check: /^x-error-codes: No longer answers 400 svc_api_below_threshold\.$/,
  },
  {
    title: 'an operation gets an error code',
    break: edit(`${payoutRequest} > x-error-codes > 400`, (codes) => [...codes, 'svc_api_late']),
    check: null,
    generates: ['client.ts', "'svc_api_late'"],
  },
  // What exists where.
  {
    title: 'a value of an enum belongs to an edition',
    break: put(`${schemas} > EventKind > x-value-availability > referral`, { edition: 'pro' }),
    check: /^x-value-availability: Was \{\} and is \{"referral":\{"edition":"pro"\}\}\.$/,
  },
  {
    title: 'a new value of an enum belongs to an edition',
    break: both(
      edit(`${schemas} > EventKind > enum`, (kinds) => [...kinds, 'coupon_lost']),
      put(`${schemas} > EventKind > x-value-availability > coupon_lost`, { edition: 'pro' }),
    ),
    check: null,
    generates: ['events.ts', 'coupon_lost'],
  },
  {
    title: 'a value of an enum exists in every edition',
    break: remove(`${schemas} > EventKind > x-value-availability > payout_paid`),
    check: null,
  },
  {
    title: 'a value of an enum needs another add-on',
    break: put(`${schemas} > EventKind > x-value-availability > payout_paid`, { edition: 'pro', add_ons: ['payouts'] }),
    check: /^x-value-availability: Was \{"payout_paid"/,
  },
  { title: 'an operation moves to an edition', break: put(`${coupon} > x-edition`, 'pro'), check: /^x-edition: Is "pro" from now on/ },
  {
    title: 'an operation gets an add-on',
    break: put(`${coupon} > x-add-ons`, ['management']),
    check: /^x-add-ons: Is \["management"\] from now on/,
  },
  {
    title: 'an operation gets a further add-on',
    break: put(`${payoutList} > x-add-ons`, ['payouts', 'management']),
    check: /^x-add-ons: Was \["payouts"\] and is \["payouts","management"\]\.$/,
  },
  { title: 'an operation no longer needs an add-on', break: remove('paths > /affiliates/{id}/clicks > get > x-add-ons'), check: null },
  {
    title: 'an operation gets a switch group',
    break: put(`${coupon} > x-switch-group`, 'payouts'),
    check: /^x-switch-group: Is "payouts" from now on/,
  },
  {
    title: 'a parameter is for admins only',
    break: put(`${parameters} > Search > x-admin-only`, true),
    check: /^x-admin-only: Is true from now on/,
  },
  { title: 'a parameter is no longer for admins only', break: remove(`${parameters} > OrderUserId > x-admin-only`), check: null },
  {
    title: 'a parameter gets an add-on',
    break: put(`${parameters} > Search > x-add-ons`, ['store']),
    check: /^x-add-ons: Is \["store"\] from now on/,
  },
  {
    title: 'a field of a response gets an add-on',
    break: both(
      put(`${schemas} > KeyRevoked > properties > revoked > x-add-ons`, ['store']),
      without(`${schemas} > KeyRevoked > required`, 'revoked'),
    ),
    check: /^x-add-ons: Is \["store"\] from now on/,
  },
  {
    title: 'an add-on that is off answers otherwise',
    break: put(`${catalog} > payouts > inactive`, 'absent'),
    check: /^x-add-on-catalog: Was \{"payouts"/,
  },
  { title: 'an add-on moves to an edition', break: put(`${catalog} > store > edition`, 'pro'), check: /^x-add-on-catalog: Was \{"store"/ },
  { title: 'an add-on is described otherwise', break: put(`${catalog} > store > description`, 'Orders.'), check: null },
  {
    title: 'an add-on is new',
    break: put(`${catalog} > loyalty`, { description: 'Points.', inactive: 'absent' }),
    check: null,
    generates: ['operations.ts', 'loyalty'],
  },
  {
    title: 'an access level moves to an edition',
    break: put(`${owners} > owner > edition`, 'pro'),
    check: /^x-access-levels: Was \{"owner"/,
  },
  {
    title: 'a webhook gets a further add-on',
    break: put(`${payoutPaid} > x-add-ons`, ['webhooks', 'payouts', 'management']),
    check: /^x-add-ons: Was .* and is \["webhooks","payouts","management"\]\.$/,
  },
  // Who may call.
  {
    title: 'an operation is closed to owners',
    break: both(put(`${coupon} > x-access`, ['admin']), remove(`${coupon} > x-owner`)),
    check: /^x-access: No longer lets owner, upline call\.$/,
    generates: ['operations.ts', "access: ['admin']"],
  },
  {
    title: 'an operation of administrators is opened to all admins',
    break: put('paths > /settings > get > x-access', ['admin']),
    check: null,
  },
  {
    title: 'an operation of admins is kept to administrators',
    break: put(`${coupons} > x-access`, ['administrator']),
    check: /^x-access: No longer lets admin call\.$/,
  },
  { title: 'a scope is raised', break: put(`${coupon} > x-scope`, 'manage'), check: /^x-scope: Raised from read to manage\.$/ },
  { title: 'a scope is lowered', break: put(`${payoutRequest} > x-scope`, 'read'), check: null },
  {
    title: 'an operation asks for the password',
    break: both(
      put(`${payoutRequest} > x-confirm-password`, true),
      put(`${payoutRequest} > x-error-codes > 403`, ['svc_api_confirm_password']),
    ),
    check: /^x-confirm-password: Requires a confirmed password/,
  },
  {
    title: 'a record is decided by another place',
    break: put(`${payoutList} > x-owner > record`, 'affiliate'),
    check: /^x-owner: Was \{"record":"payout"\} and is \{"record":"affiliate"\}\.$/,
  },
  {
    title: 'a parameter needs a further scope',
    break: put(`${coupons} > x-scope-when`, [{ parameter: 'search', equals: 'x', scope: 'manage' }]),
    check: /^x-scope-when: Requires the scope manage/,
  },
  // What tools, events and files promise.
  {
    title: 'an operation is no longer tried',
    break: both(put(`${payoutRequest} > x-dry-run`, false), remove(`${payoutRequest} > x-tool`)),
    check: /^x-(dry-run|tool): Was/,
  },
  {
    title: 'a tool is renamed',
    break: put(`${coupons} > x-tool > name`, 'find_coupons'),
    check: /^x-tool: Was \{"name":"list_coupons"\} and is \{"name":"find_coupons"\}\.$/,
    generates: ['tools.ts', 'find_coupons'],
  },
  {
    title: 'a tool is described otherwise',
    break: put(`${coupons} > x-tool > description`, 'Use it to find coupons, not affiliates.'),
    check: null,
  },
  { title: 'a tool is removed', break: remove(`${coupons} > x-tool`), check: /^x-tool: Was .* and is gone\.$/ },
  {
    title: 'an event has another kind in the feed',
    break: both(
      edit(`${schemas} > EventKind > enum`, (kinds) => [...kinds, 'payout_settled']),
      put(`${payoutPaid} > x-feed-kind`, 'payout_settled'),
    ),
    check: /^x-feed-kind: Was "payout_paid" and is "payout_settled"\.$/,
  },
  {
    title: 'a record has another kind in import files',
    break: put(`${schemas} > OrderRecord > x-import-kind`, 'sale'),
    check: /^x-import-kind: Was "order" and is "sale"\.$/,
    generates: ['records.ts', 'sale: {'],
  },
  {
    title: 'a change of status is no longer allowed',
    break: edit(`${payoutStatus} > rows`, (rows) => rows.slice(0, -1)),
    check: /^x-transitions: Was/,
  },
  {
    title: 'a header that was always there may be missing',
    break: put(`${headers} > X-Request-Id > required`, false),
    check: /^required: The header may be missing from now on\.$/,
  },
  {
    title: 'the other parts of the changes of status differ',
    break: put(`${payoutStatus} > internal > processing > reads`, 'pending'),
    check: /^x-transitions: Was/,
  },
  {
    title: 'a header of deliveries may be missing',
    break: put(`${parameters} > DeliverySignature > required`, false),
    check: /^required: Deliveries may lack the header from now on\.$/,
  },
  {
    title: 'a delivery no longer has a header',
    break: edit(`${payoutPaid} > parameters`, (headers) => headers.slice(1)),
    check: /^X-Svc-Event: Deliveries no longer have this header\.$/,
  },
  {
    title: 'a delivery no longer has a field',
    break: both(remove(`${delivery} > properties > site`), without(`${delivery} > required`, 'site')),
    check: /^site: Deliveries no longer have this field\.$/,
  },
  {
    title: 'a field with the name of a keyword gets an add-on',
    break: both(
      put(`${schemas} > Setting > properties > value > x-add-ons`, ['store']),
      without(`${schemas} > Setting > required`, 'value'),
    ),
    check: /^x-add-ons: Is \["store"\] from now on/,
  },
  // Words.
  { title: 'a description is rewritten', break: put(`${coupons} > description`, 'Coupons.'), check: null },
  {
    title: 'a summary holds the end of a comment',
    break: put(`${coupons} > summary`, 'List */ coupons'),
    check: null,
    generates: ['client.ts', '/** List *\\/ coupons.'],
  },
  {
    title: 'a reason for absence is reworded',
    break: put(`${schemas} > CouponDetail > properties > payout_eligibility > x-absent`, 'for others'),
    check: null,
  },
  // Paths and shapes.
  {
    title: 'the parameters of an operation move to its path',
    break: both(
      remove(`${coupon} > parameters`),
      put('paths > /coupons/{id} > parameters', [{ $ref: '#/components/parameters/CouponId' }]),
    ),
    check: null,
    generates: ['client.ts', "get: 'GET /{id}'"],
  },
  {
    title: 'an operation refers to another schema, of which a field belongs to an edition',
    break: both(
      put(`${schemas} > KeyRequestPro`, {
        description: 'A key.',
        type: 'object',
        properties: { expires: { $ref: '#/components/schemas/Day', description: 'A day.', examples: ['2027-03-31'], 'x-edition': 'pro' } },
      }),
      put('paths > /keys > post > requestBody > content > application/json > schema > $ref', '#/components/schemas/KeyRequestPro'),
      put(
        'paths > /keys > post > requestBody > content > application/x-www-form-urlencoded > schema > $ref',
        '#/components/schemas/KeyRequestPro',
      ),
    ),
    check: /^(x-edition: Is "pro"|user_id: A request that sends it)/,
  },
  {
    title: 'a pattern has alternatives in parentheses',
    break: put(`${schemas} > Day > pattern`, '^([0-9]{4}-[0-9]{2}-[0-9]{2})$'),
    check: null,
  },
];

/** What lint accepts and the client could not call, so that nothing is generated. */
export const uncallable: (Change & { says: RegExp })[] = [
  {
    title: 'GET has a body',
    break: put(`${coupons} > requestBody`, { required: false, content: { 'application/json': { schema: { type: 'object' } } } }),
    says: /^openapi\/paths\/coupons\.yaml:\d+ The client cannot call GET \/coupons: browsers send no body with GET\. Make its fields query/,
  },
  {
    title: 'a success other than 204 has no JSON',
    break: put('paths > /keys/{id} > delete > responses > 202', { description: 'Accepted.' }),
    says: /^openapi\/paths\/keys_id\.yaml:\d+ .* its 202 has no JSON\. Answer a record, or declare 204\.$/,
  },
];
