/** What scanners ask every server for. */
export const probes = `
/api /api/ /api/v1 /api/v1/me /api/v1/affiliates /api/v2 /api/v2/ /api/v3/me /api/v2.0/me /api/V2/me /api/latest/me
/api/v2/../v1/me /v2/me /me /keys /wp-json/ /wp-json/svc/v2/affiliates /.env /.git/config /.git/HEAD /.npmrc /package.json
/package-lock.json /tsconfig.json /generated/openapi.json /openapi/openapi.yaml /data/master.key /master.key
/data/affiliate.sqlite /affiliate.sqlite /server/app.ts /dist/cli/affiliate.js /node_modules/koa/package.json /debug
/debug/pprof /api/v2/debug /actuator /actuator/env /server-status /status /admin /api/v2/admin /api/v2/internal /api/v2/test
/graphql /api/graphql /swagger /swagger.json /api-docs /api/v2/docs /api/v2/swagger.json /phpinfo.php /metrics
/api/v2/metrics /heapdump /json/version /..%2f..%2fetc%2fpasswd /api/v2/..%2f..%2f..%2fetc%2fpasswd /docs/..%2fpackage.json
/docs/../package.json /docs/%2e%2e/package.json /docs//etc/passwd /assets/../package.json //etc/passwd /%00
/api/v2/%2e%2e/%2e%2e/package.json /sign-in/../package.json /api/v2/openapi.yaml /api/v2/openapi.json /api/v2/users
/api/v2/sessions /api/v2/ledger /api/v2/mails /api/v2/webhooks/1/secret
/api/v2/keys/1/token /api/v2/payouts/1/details
`
  .trim()
  .split(/\s+/);
