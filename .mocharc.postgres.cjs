const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

// `npm run test:postgres`: on PostgreSQL, what `npm test` runs on SQLite alone.
process.env['TEST_ENGINE_REST'] = 'postgres';

const tests = path.join(__dirname, 'test');
const files = readdirSync(tests, { recursive: true }).filter((file) => file.endsWith('.test.ts'));

module.exports = {
  ...require('./.mocharc.cjs'),
  spec: files.map((file) => path.join(tests, file)).filter((file) => readFileSync(file, 'utf8').includes('onAnyEngine(')),
};
