import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { formatErrorReference } from './error-reference.ts';
import { formatSettingReference } from './setting-reference.ts';

// After generate.ts, in a process of its own: these pages follow from the code, and the code imports what the first has just written.
const folder = 'docs/reference';
const pages = { [`${folder}/errors.md`]: formatErrorReference(), [`${folder}/settings.md`]: formatSettingReference() };
const stale = Object.entries(pages).filter(([file, content]) => !existsSync(file) || readFileSync(file, 'utf8') !== content);

if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`${file} does not follow from the code. Run \`npm run generate\` and commit what it writes.`);
  if (stale.length > 0) process.exitCode = 1;
  else console.log(`${folder}/ is current (${Object.keys(pages).length} pages)`);
} else {
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of stale) writeFileSync(file, content);
  console.log(stale.length > 0 ? `wrote ${stale.map(([file]) => file).join(', ')}` : `${folder}/ was current already`);
}
