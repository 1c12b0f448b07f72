import type { Credentials } from '../../cli/demo/credentials.ts';

/** What somebody needs who has just started it: where it is, how to get in, and what to do next. Said once, not with every reload. */
export function greeting(url: string, store: string, credentials: Credentials | null): string {
  return [
    `affiliate-api listening on ${url}`,
    '',
    ...(credentials ? access(url, store, credentials) : [`  Reference page   ${url}/docs`, `  Data             ${store}`]),
    '',
    'Edit openapi/, the code or web/ and save: what is good is served. Ctrl-C ends it.',
  ].join('\n');
}

const access = (url: string, store: string, { admin, affiliate }: Credentials): string[] => [
  `  Reference page   ${url}/docs`,
  `  Sign in there    ${admin.login} with the password ${admin.password}`,
  `  Admin token      ${admin.token}`,
  `  Affiliate token  ${affiliate.token}`,
  `  Try it           curl -H 'Authorization: Bearer ${admin.token}' ${url}/api/v2/me`,
  `  Data             ${store}, a demo store that is kept; remove it for a new one, or name another by DATA_DIR`,
];
