/** Part of `npm run check`: refuses changes that break clients of openapi/released.json, except in a new major version. */
import { runScript } from '../shared/usage.ts';
import { compareWithReleased, formatChange } from './compare-released.ts';

await runScript(async () => {
  const { base, revision, breaking, isNewMajor } = await compareWithReleased();
  for (const change of breaking) console.log(formatChange(change));
  if (breaking.length > 0 && !isNewMajor)
    throw new Error(
      `${breaking.length} change(s) above break clients of the released contract ${base}. Revert them, or make a new major version: ` +
        `info.version in openapi/openapi.yaml is ${revision}, and the namespace in servers must follow it. ` +
        `If ${revision} is not published yet, name them in CHANGELOG.md and run \`npm run release:contract -- --unpublished\`.`,
    );
  console.log(`${revision} has no breaking change against ${base} outside a new major version`);
});
