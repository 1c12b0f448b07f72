import { copyFileSync, readFileSync } from 'node:fs';

// From now on `npm run check` compares with what is released here. Run it when a version is published, after lint and check have passed.
copyFileSync('generated/openapi.json', 'openapi/released.json');
const { info } = JSON.parse(readFileSync('openapi/released.json', 'utf8')) as { info: { version: string } };
console.log(`openapi/released.json is now ${info.version}; commit it with the release`);
