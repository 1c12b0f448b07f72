import { copyFileSync, readFileSync } from 'node:fs';
import { complaintsAbout, generatedFiles } from '../generate/files.ts';

// From now on `npm run check` compares with what is released here. Run it when a version is published; before the first publication also to
// begin anew from a contract that breaks what nobody has seen.
try {
  const complaints = complaintsAbout(await generatedFiles());
  if (complaints.length > 0) throw new Error(`${complaints.join('\n')}\nopenapi/released.json stays as it was.`);
  copyFileSync('generated/openapi.json', 'openapi/released.json');
  const { info } = JSON.parse(readFileSync('openapi/released.json', 'utf8')) as { info: { version: string } };
  console.log(`openapi/released.json is now ${info.version}; commit it with the release`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
