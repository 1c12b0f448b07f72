/** Second half of `npm run generate`: docs/reference/, from code that imports generated/. It needs a process of its own for that reason. */
import { runScript } from '../shared/usage.ts';
import { formatErrorReference, formatImportReference, formatSettingReference } from './reference-pages.ts';
import { updateFolder } from './stale-files.ts';

const folder = 'docs/reference';
const contents = {
  [`${folder}/errors.md`]: formatErrorReference(),
  [`${folder}/settings.md`]: formatSettingReference(),
  [`${folder}/import.md`]: formatImportReference(),
};

await runScript(async () => updateFolder({ folder, source: 'the code', contents }));
