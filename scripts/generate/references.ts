/**
 * Second half of `npm run generate`: docs/reference/, from code that imports generated/, for which it needs a process of its own, and the
 * figures of the README.
 */
import { readFileSync } from 'node:fs';
import { runScript } from '../shared/usage.ts';
import { formatErrorReference, formatImportReference, formatSettingReference } from './reference-pages.ts';
import { withSpeed } from './speed.ts';
import { updateFolder } from './stale-files.ts';

const folder = 'docs/reference';
const contents = {
  [`${folder}/errors.md`]: formatErrorReference(),
  [`${folder}/settings.md`]: formatSettingReference(),
  [`${folder}/import.md`]: formatImportReference(),
  'README.md': withSpeed(readFileSync('README.md', 'utf8'), readFileSync('docs/BENCHMARKS.md', 'utf8')),
};

await runScript(async () => updateFolder({ folder, source: 'the code and the benchmarks', contents }));
