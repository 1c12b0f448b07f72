// The rooms and what may import what; docs/ARCHITECTURE.md draws it. Low to high: generated, domain → site, db → handlers → server →
// cli → scripts, test. The client and the pages stand beside them.
const rooms = {
  generated: [],
  domain: ['generated'],
  site: ['domain', 'generated'],
  db: ['domain', 'generated'],
  handlers: ['domain', 'site', 'generated'],
  server: ['domain', 'site', 'db', 'handlers', 'generated'],
  cli: ['domain', 'site', 'db', 'handlers', 'server', 'generated'],
  client: ['generated'],
  web: ['generated'],
};

const keepsToItsRoom = Object.entries(rooms).map(([room, below]) => ({
  name: `${room}-imports-only-what-is-below`,
  comment: `${room}/ may import ${below.length > 0 ? below.join(', ') : 'nothing'} and itself. Move the line to the room it belongs to.`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: { path: '^(generated|domain|site|db|handlers|server|cli|scripts|test|web|client)/', pathNot: `^(${[room, ...below].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...keepsToItsRoom,
    {
      name: 'no-circles',
      comment: 'Two files that import each other are one thing in two places.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-knows-no-library',
      comment: 'The domain imports itself, generated constants and node: modules; HTTP and storage are the business of other rooms.',
      severity: 'error',
      from: { path: '^domain/' },
      to: { dependencyTypes: ['npm', 'npm-dev'] },
    },
    {
      name: 'contract-tools-stay-at-build-time',
      comment: 'Redocly, openapi-typescript and esbuild cost seconds and megabytes; the running service reads what they made.',
      severity: 'error',
      from: { path: '^(domain|site|db|handlers|server)/' },
      to: { path: 'node_modules/(@redocly|openapi-typescript|esbuild)/' },
    },
    {
      name: 'client-runs-in-browsers',
      comment: 'The client is for browsers too: openapi-fetch is all that it brings along.',
      severity: 'error',
      from: { path: '^client/src/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'], pathNot: 'node_modules/openapi-fetch/' },
    },
    {
      name: 'pages-bring-nothing-along',
      comment: 'What a browser loads is all in web/: no library, nothing of Node.',
      severity: 'error',
      from: { path: '^web/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
    },
    {
      name: 'commands-need-no-tools',
      comment: 'A dependency for developers is not there where the service is installed.',
      severity: 'error',
      from: { path: '^(domain|site|db|handlers|server|cli)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-proofs-use-tests',
      comment: 'Scripts that try the service use what the tests use. Nothing else imports a test.',
      severity: 'error',
      from: { path: '^scripts/', pathNot: '^scripts/(bench|fuzz|load|workflows)(/|\\.ts$)' },
      to: { path: '^test/' },
    },
    {
      name: 'lint-knows-the-contract-alone',
      comment: 'The rules judge YAML before anything was made of it.',
      severity: 'error',
      from: { path: '^openapi/lint/' },
      to: { path: '^(generated|domain|site|db|handlers|server|cli|scripts|test|web|client)/' },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    includeOnly: '(^(generated|domain|site|db|handlers|server|cli|scripts|test|web|client|openapi/lint)|node_modules)/',
    // Installed by the bench alone.
    exclude: { path: '^scripts/bench/peers/' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
