import { mkdirSync, writeFileSync } from 'node:fs';
import { complaintsAbout, generatedFiles } from './generate/files.ts';

try {
  const files = await generatedFiles();
  const stale = files.filter(({ isCurrent }) => !isCurrent);
  if (process.argv.includes('--check')) {
    for (const complaint of complaintsAbout(files)) console.error(complaint);
    if (stale.length > 0) process.exitCode = 1;
    else console.log(`generated/ is current (${files.length} files)`);
  } else {
    mkdirSync('generated', { recursive: true });
    for (const { file, content } of stale) writeFileSync(file, content);
    console.log(stale.length > 0 ? `wrote ${stale.map(({ file }) => file).join(', ')}` : 'generated/ was current already');
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
