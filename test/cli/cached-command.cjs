// Runs cli/process.js, which is `affiliate`, with the code that V8 compiled at an earlier start: most of a start is compiling.
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const path = require('node:path');
const { Script } = require('node:vm');

const file = path.join(__dirname, 'cli/process.js');
const cache = process.env.TEST_WRITE_CODE_CACHE;
// Code of a cache cannot import. This file can, for the site module.
const source = readFileSync(file, 'utf8').replace('await import(', 'await module.import(');
const script = new Script(wrap(source), { filename: file, ...(!cache && { cachedData: readFileSync(`${file}.cache`) }) });
if (cache) process.once('exit', () => writeFileSync(`${file}.cache`, script.createCachedData()));
const compiled = { exports: {}, import: (name) => import(name) };
script.runInThisContext()(compiled.exports, createRequire(file), compiled, file, __dirname);
void compiled.exports.runProcess();
