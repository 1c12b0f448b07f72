const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

// `npm run test:postgres`: on PostgreSQL, what `npm test` runs on SQLite alone, and what runs on PostgreSQL alone.
process.env['TEST_ENGINE_REST'] = 'postgres';

const isOnPostgres = (file) => /\b(onAnyEngine\(|(mainlyOn|forEngineOrAll)\('postgres')/.test(readFileSync(file, 'utf8'));

const tests = path.join(__dirname, 'test');
const files = readdirSync(tests, { recursive: true }).map((file) => path.join(tests, file));

module.exports = {
  ...require('./.mocharc.cjs'),
  // Several processes share a PostgreSQL alone.
  spec: files.filter((file) => file.endsWith('.test.ts') && (path.dirname(file) === path.join(tests, 'nodes') || isOnPostgres(file))),
};
