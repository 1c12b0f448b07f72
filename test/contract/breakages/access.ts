import { type BreakagesByRule, put, remove, withMore, without } from './change.ts';
import {
  clicks,
  coupon,
  couponStats,
  coupons,
  document,
  ownPayoutDetails,
  payoutList,
  payoutRequest,
  payoutStatusChange,
  schemas,
} from './places.ts';

/** Who may call what. */
export const accessBreakages: BreakagesByRule = {
  'dry-run-declared': [
    {
      title: 'a dry run of a GET is refused',
      break: put(`${coupons} > x-dry-run`, true),
      says: /^`x-dry-run` of `get_coupons` means nothing: a GET saves nothing\. Remove it\.$/,
    },
    {
      title: 'an operation that writes and does not say whether it can be tried is refused',
      break: remove(`${payoutRequest} > x-dry-run`),
      says: /^`x-dry-run` of `post_payouts` is missing\. Set it to true, or to false/,
    },
  ],
  'tool-shape': [
    {
      title: 'a tool whose body has its fields under allOf is refused',
      break: put(`${schemas} > PayoutRequest > allOf`, [{ type: 'object' }]),
      says: /^`x-tool` of `post_payouts` has a body whose fields are not all in `properties`.*Write them there, or remove the tool\.$/,
      at: `${payoutRequest} > x-tool`,
    },
    {
      title: 'a tool that answers nothing is refused',
      break: remove(`${payoutStatusChange} > responses > 200 > content`),
      says: /^`x-tool` of `post_payouts_id_status` has nothing to tell an agent: its 200 has no JSON\. Answer a record/,
      at: `${payoutStatusChange} > x-tool`,
    },
    {
      title: 'a tool without a title is refused',
      break: remove(`${coupons} > x-tool > title`),
      says: /^`x-tool` of `get_coupons` needs exactly name, title, description\.$/,
    },
    {
      title: 'a name that clients cannot call is refused',
      break: put(`${coupons} > x-tool > name`, 'list-coupons'),
      says: /is named `list-coupons`\. Use at most 37 of a to z, 0 to 9 and _\.$/,
    },
    {
      title: 'two tools with one name are refused',
      break: put(`${payoutList} > x-tool > name`, 'who_am_i'),
      says: /^`x-tool` of `get_payouts` is named `who_am_i`, as another tool is\.$/,
    },
    {
      title: 'a description that does not say when not to use the tool is refused',
      break: put(`${coupons} > x-tool > description`, 'Use it to list coupons.'),
      says: /does not say when to use it and when not\./,
    },
    {
      title: 'a tool that writes without a preview is refused',
      break: put(`${payoutRequest} > x-dry-run`, false),
      says: /^`x-tool` of `post_payouts` writes without a preview\. It needs `x-dry-run: true`\.$/,
    },
  ],
  'access-declared': [
    {
      title: 'an operation that does not say who may call is refused',
      break: remove(`${coupons} > x-access`),
      says: /^`x-access` of `get_coupons` does not say who may call\. Make it a list of public, user, admin/,
    },
    {
      title: 'an unknown access level is refused, listing the known ones',
      break: put(`${coupons} > x-access`, ['manager']),
      says: /names `manager`, which is no access level\. Use public, user, admin, administrator, owner, upline, self\./,
    },
    {
      title: '`user` beside other levels is refused',
      break: put(`${coupons} > x-access`, ['user', 'admin']),
      says: /joins `user`, which includes the others\. Let `user` stand alone/,
    },
    {
      title: 'a confirmation of the password whose error code is not declared is refused',
      break: put(`${coupons} > x-confirm-password`, true),
      says: /^`x-confirm-password` of `get_coupons` raises `svc_api_confirm_password`, which is not declared\. Add it to `x-error-codes`/,
    },
    {
      title: 'the error code of a confirmation that is not asked for is refused',
      break: remove(`${ownPayoutDetails} > x-confirm-password`),
      says: /^`x-confirm-password` of `put_me_payout_details` is missing, but `svc_api_confirm_password` is declared\./,
    },
    {
      title: 'a public operation that asks for a confirmation is refused',
      break: put(`${document} > x-confirm-password`, true),
      says: /^`x-confirm-password` of `get_openapi` asks callers who have no session\. Remove it\.$/,
    },
    {
      title: 'an operation without scope is refused',
      break: remove(`${coupons} > x-scope`),
      says: /^`x-scope` of `get_coupons` is missing\. Set it to one of none, read, write, manage\.$/,
    },
    {
      title: 'a public operation that wants a scope is refused',
      break: put(`${document} > x-scope`, 'read'),
      says: /is `read`, but callers of a public operation have no key\. Set it to `none`/,
    },
    {
      title: 'access by setting with an unknown level is refused',
      break: put(`${document} > x-access-when > 0 > access`, ['root']),
      says: /^`x-access-when` of `get_openapi` names `root`, which is no access level\. Use/,
      at: `${document} > x-access-when`,
    },
    {
      title: 'access by setting without the setting is refused',
      break: remove(`${document} > x-access-when > 0 > setting`),
      says: /has a row of another shape\. Write `\{ setting, equals, access \}`/,
      at: `${document} > x-access-when`,
    },
    {
      title: 'a level that is named twice is refused',
      break: put(`${coupons} > x-access`, ['admin', 'admin']),
      says: /^`x-access` of `get_coupons` names a level twice\. Name each once\.$/,
    },
    {
      title: 'access by setting that is no list is refused',
      break: put(`${document} > x-access-when`, { setting: 'openapi_public' }),
      says: /^`x-access-when` of `get_openapi` is no list\. Write `\[\{ setting, equals, access \}\]`/,
    },
    {
      title: 'access by something that is no settings path is refused',
      break: put(`${document} > x-access-when > 0 > setting`, 'OpenAPI public?'),
      says: /names the setting `OpenAPI public\?`\. Give a settings path such as `openapi_public`/,
      at: `${document} > x-access-when`,
    },
  ],
  'owner-named': [
    {
      title: 'the owner of another record than that of the path is refused',
      break: put(`${coupon} > x-owner > record`, 'affiliate'),
      says: /^`x-owner` of `get_coupons_id` decides about the affiliate with that id, but `id` is one of \/coupons\. Name the record of the path\.$/,
      at: `${coupon} > x-owner`,
    },
    {
      title: '`owner` without a record whose owner decides is refused',
      break: remove(`${coupon} > x-owner`),
      says: /^`x-owner` of `get_coupons_id` is missing, but `owner` needs it\. Add `x-owner/,
    },
    {
      title: 'an owner that no access level needs is refused',
      break: put(`${coupons} > x-owner`, { record: 'coupon', in: 'query', name: 'user_id' }),
      says: /^`x-owner` of `get_coupons` has no level to decide about\. Remove it/,
    },
    {
      title: 'an owner in a parameter that does not exist is refused',
      break: put(`${coupon} > x-owner > name`, 'coupon'),
      says: /names `coupon` in path, where there is none\. Name a parameter/,
      at: `${coupon} > x-owner`,
    },
    {
      title: 'an owner in a body field that does not exist is refused',
      break: put(`${payoutRequest} > x-owner > name`, 'coupon'),
      says: /^`x-owner` of `post_payouts` names `coupon` in body, where there is none/,
      at: `${payoutRequest} > x-owner`,
    },
    {
      title: 'an unknown kind of record is refused',
      break: put(`${coupon} > x-owner > record`, 'voucher'),
      says: /names the record `voucher`\. Use affiliate, coupon, adjustment, payout\./,
      at: `${coupon} > x-owner`,
    },
    {
      title: 'an optional owner parameter without a code for leaving it out is refused',
      break: remove(`${clicks} > x-owner > required_code`),
      says: /does not say what happens when a caller who is no admin leaves `coupon_id` out\. Add `required_code/,
    },
    {
      title: 'a code for leaving the owner out that the operation does not declare is refused',
      break: remove(`${clicks} > x-error-codes`),
      says: /raises `svc_api_coupon_required`, which the operation does not declare\. Add it to `x-error-codes`/,
      at: `${clicks} > x-owner`,
    },
    {
      title: 'a misspelt key of x-owner is refused',
      break: put(`${coupon} > x-owner > nmae`, 'id'),
      says: /has `nmae`, which means nothing\. Use only record, in, name, required_code\.$/,
      at: `${coupon} > x-owner`,
    },
    {
      title: 'a list of own rows that names a parameter is refused',
      break: put(`${payoutList} > x-owner > name`, 'user_id'),
      says: /is `in: rows`, which reads no parameter\. Leave only `record`/,
      at: `${payoutList} > x-owner`,
    },
    {
      title: 'a required_code for a required parameter is refused',
      break: put(`${coupon} > x-owner > required_code`, 'svc_api_coupon_required'),
      says: /has `required_code`, but `id` is always given\. Remove it\.$/,
      at: `${coupon} > x-owner`,
    },
    {
      title: 'a list for every user that takes `user_id` and does not say whose rows are shown is refused',
      break: remove(`${payoutList} > x-owner`),
      says: /^`x-owner` of `get_payouts` is missing, so `user_id` would show every user .* Add `x-owner: \{ record, in: rows \}`/,
    },
  ],
  'conditions-named': [
    {
      title: 'a further scope for a parameter that does not exist is refused',
      break: put(`${couponStats} > x-scope-when > 0 > parameter`, 'rebuild'),
      says: /^`x-scope-when` of `get_coupons_id_stats` names `rebuild`, which is no query parameter of the operation\. Name one/,
      at: `${couponStats} > x-scope-when`,
    },
    {
      title: 'a further scope for a body field, which is not read, is refused',
      break: put(`${payoutRequest} > x-scope-when`, [{ parameter: 'coupon_id', equals: 301, scope: 'manage' }]),
      says: /^`x-scope-when` of `post_payouts` names `coupon_id`, which is no query parameter.*nothing else is read\.$/,
    },
    {
      title: 'a CSRF condition on a path parameter is refused',
      break: put(`${couponStats} > x-csrf-when`, [{ parameter: 'id', equals: 301 }]),
      says: /^`x-csrf-when` of `get_coupons_id_stats` names `id`, which is no query parameter/,
    },
    {
      title: 'an unknown further scope is refused',
      break: put(`${couponStats} > x-scope-when > 0 > scope`, 'admin'),
      says: /names the scope `admin`\. Use read, write, manage\./,
      at: `${couponStats} > x-scope-when`,
    },
    {
      title: 'a CSRF condition that is no row is refused',
      break: put(`${couponStats} > x-csrf-when`, [{ parameter: 'refresh' }]),
      says: /^`x-csrf-when` of .* has a row of another shape\. Write `\[\{ parameter, equals \}\]`/,
    },
    {
      title: 'a CSRF condition on an unsafe method is refused',
      break: put(`${payoutStatusChange} > x-csrf-when`, [{ parameter: 'status', equals: 'paid' }]),
      says: /is needless: an unsafe method always needs the CSRF header\. Remove it\./,
    },
    {
      title: 'a condition that is no list is refused',
      break: put(`${couponStats} > x-scope-when`, { parameter: 'refresh', equals: true, scope: 'write' }),
      says: /^`x-scope-when` of .* is no list\. Write `\[\{ parameter, equals, scope \}\]`/,
    },
  ],
  'security-alternatives': [
    {
      title: 'an operation without security of its own is refused',
      break: remove(`${coupons} > security`),
      says: /^`get_coupons` .* Write `security: \[\{bearerApiKey: \[\]\}, \{basicAppPassword: \[\]\}\]`\./,
    },
    {
      title: 'an operation without application passwords is refused',
      break: put(`${coupons} > security`, [{ bearerApiKey: [] }]),
      says: /^`get_coupons` does not have the security alternatives of its access\. Write/,
    },
    {
      title: 'an operation that is not public but takes no credentials is refused',
      break: withMore(`${coupons} > security`, {}),
      says: /Only a public operation takes `\{\}`/,
    },
    {
      title: 'a public operation that demands credentials is refused',
      break: without(`${document} > security`, {}),
      says: /^`get_openapi` .* It is public, so it also takes `\{\}`/,
    },
    {
      title: 'a third security scheme is refused',
      break: put('components > securitySchemes > cookie', { type: 'apiKey', in: 'cookie', name: 'session' }),
      says: /^The security scheme `cookie` is not one of the two\. Remove it/,
    },
    {
      title: 'a security scheme of another kind is refused',
      break: put('components > securitySchemes > bearerApiKey > scheme', 'digest'),
      says: /^The security scheme `bearerApiKey` is missing or of another kind\. Declare it with `type: http, scheme: bearer`/,
      at: 'components > securitySchemes > bearerApiKey',
    },
    {
      title: 'a document without a security scheme is refused',
      break: remove('components > securitySchemes > basicAppPassword'),
      says: /^The security scheme `basicAppPassword` is missing or of another kind\. Declare it with `type: http, scheme: basic`/,
    },
  ],
};
