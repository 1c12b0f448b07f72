import type { KnownCredentials } from './credentials.ts';
import type { DemoFolder } from './folder.ts';

/** What a newcomer reads: where it is, how to get in, and what to try first. */
export function welcome({ base_url: base, admin, affiliate }: KnownCredentials, { credentialsFile, path }: DemoFolder): string {
  const call = (token: string, resource: string): string => `  curl -H 'Authorization: Bearer ${token}' '${base}${resource}'`;
  return [
    `Fjell Outdoor, a store that does not exist, and a year of its affiliate program. It is kept in ${path}.`,
    '',
    `Base URL         ${base}`,
    `Admin token      ${admin.token}`,
    `Affiliate token  ${affiliate.token}`,
    `Reference page   ${new URL('/docs', base).href}`,
    // A store of an earlier version has none.
    ...(admin.password ? [`Sign in there    ${admin.login} with the password ${admin.password}`] : []),
    `All of these, and passwords for HTTP Basic, are in ${credentialsFile}.`,
    '',
    'Three calls to try: the program at a glance, what an affiliate has earned, and the orders behind it',
    call(admin.token, '/reports/summary?top=3'),
    call(affiliate.token, `/affiliates/${affiliate.user_id}/stats?interval=month`),
    call(affiliate.token, `/coupons/${affiliate.coupon_id}/orders?per_page=3`),
    '',
    'The program at a glance, in another terminal',
    `  DATA_DIR='${path}' npx affiliate report`,
    '',
    'Ctrl-C stops it. The next start serves the same store; --fresh starts over.',
  ].join('\n');
}
