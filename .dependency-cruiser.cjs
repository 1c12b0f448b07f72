// What each folder may import, as docs/ARCHITECTURE.md shows it. Layers, low to high: generated, domain → connectors, site, db → handlers → server → cli →
// scripts, test. client/ and web/ are separate; cli/ calls other services with client/.
const layers = {
  generated: [],
  domain: ['generated'],
  site: ['domain', 'generated'],
  db: ['domain', 'generated'],
  connectors: ['domain'],
  handlers: ['domain', 'connectors', 'site', 'generated'],
  server: ['domain', 'connectors', 'site', 'db', 'handlers', 'generated'],
  cli: ['domain', 'connectors', 'site', 'db', 'handlers', 'server', 'client', 'generated'],
  client: ['generated'],
  web: ['client', 'generated'],
};
const folders = [...Object.keys(layers), 'scripts', 'test'].join('|');

// Browsers check an IBAN by the rules of the service, while it is typed, and call platforms by the names that their connectors have.
const sharedWithBrowsers = '(domain/payout-details/(iban|country)|domain/money|connectors/titles)\\.ts$';

const layerRules = Object.entries(layers).map(([folder, lower]) => ({
  name: `${folder}-imports-only-lower-layers`,
  comment: `${folder}/ may import ${lower.length > 0 ? lower.join(', ') : 'nothing'} and itself. Move the code to the layer it belongs to.`,
  severity: 'error',
  from: { path: `^${folder}/` },
  to: { path: `^(${folders})/`, pathNot: [`^(${[folder, ...lower].join('|')})/`, ...(folder === 'web' ? [`^${sharedWithBrowsers}`] : [])] },
}));

// The folders of domain/, low to high. Each imports the folders before it and the files of domain/ itself.
const domainFolders = `
  events mail users keys ledger master-key webhooks
  orders figures payout-details invoices brand coupons commission clicks order-recording store risk
  adjustments registrations payouts records affiliates reports explanation verification lost-key privacy
`
  .trim()
  .split(/\s+/);

const domainRules = [
  ...domainFolders.map((folder, at) => ({
    name: 'domain-folders-import-lower-ones',
    comment: 'Move what ties two folders, or name the methods that are needed in an interface of the lower one.',
    severity: 'error',
    from: { path: `^domain/${folder}/` },
    to: { path: '^domain/[^/]+/', pathNot: `^domain/(${domainFolders.slice(0, at + 1).join('|')})/` },
  })),
  {
    name: 'domain-folders-are-listed',
    comment: 'A new folder takes its place in domainFolders, and in the order that docs/ARCHITECTURE.md shows.',
    severity: 'error',
    from: { path: '^domain/[^/]+/', pathNot: `^domain/(${domainFolders.join('|')})/` },
    to: {},
  },
  {
    name: 'domain-files-import-no-folder',
    comment: 'Every folder may import the files of domain/ itself, so they import none.',
    severity: 'error',
    from: { path: '^domain/[^/]+$', pathNot: '^domain/repositories\\.ts$' },
    to: { path: '^domain/[^/]+/' },
  },
  {
    name: 'domain-functions-name-their-repositories',
    comment: 'The list of all repositories is for the layers above.',
    severity: 'error',
    from: { path: '^domain/' },
    to: { path: '^domain/repositories\\.ts$' },
  },
];

module.exports = {
  forbidden: [
    ...layerRules,
    ...domainRules,
    {
      name: 'no-circular-imports',
      comment: 'Files that import each other cannot be understood or moved one at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-imports-no-library',
      comment: 'The domain imports itself, generated constants and node: modules; HTTP and storage belong to other layers.',
      severity: 'error',
      from: { path: '^domain/' },
      // A list of common passwords, without code.
      to: { dependencyTypes: ['npm', 'npm-dev'], pathNot: '@zxcvbn-ts/language-common' },
    },
    {
      name: 'service-imports-no-contract-tool',
      comment: 'Redocly, openapi-typescript and esbuild cost seconds and megabytes; the running service reads their output.',
      severity: 'error',
      from: { path: '^(domain|site|db|handlers|server)/' },
      to: { path: 'node_modules/(@redocly|openapi-typescript|esbuild)/' },
    },
    {
      name: 'client-imports-only-openapi-fetch',
      comment: 'The client runs in browsers too: no Node module, and no library but openapi-fetch.',
      severity: 'error',
      from: { path: '^client/src/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'], pathNot: 'node_modules/openapi-fetch/' },
    },
    {
      name: 'web-imports-no-library',
      comment: 'Everything that a browser loads is in web/: no Node module, and no library but those of the console.',
      severity: 'error',
      from: { path: '^web/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'], pathNot: 'node_modules/(preact|@preact/signals|uplot|uqr)/' },
    },
    {
      name: 'shared-with-browsers-imports-nothing',
      comment: 'It is part of the console, which would get all that it imports.',
      severity: 'error',
      from: { path: `^${sharedWithBrowsers}` },
      to: {},
    },
    {
      name: 'service-imports-no-dev-dependency',
      comment: 'devDependencies are missing where the service is installed.',
      severity: 'error',
      from: { path: '^(domain|site|db|handlers|server|cli)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'scripts-import-no-tests',
      comment:
        'Except bench, fuzz, load and workflows, which run a service with the helpers of the tests, and the check of what the tests walk.',
      severity: 'error',
      from: { path: '^scripts/', pathNot: '^scripts/(bench|check|fuzz|load|workflows)(/|\\.ts$)' },
      to: { path: '^test/' },
    },
    {
      name: 'lint-rules-import-no-code',
      comment: 'The rules check YAML from which nothing has been generated yet.',
      severity: 'error',
      from: { path: '^openapi/lint/' },
      to: { path: `^(${folders})/` },
    },
    {
      name: 'imports-resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    includeOnly: `(^(${folders}|openapi/lint)|node_modules)/`,
    // Their dependencies are installed by the bench only.
    exclude: { path: '^scripts/bench/peers/' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
