import { compareContracts, isAllowed } from './breaking-changes/compare.ts';

const comparison = compareContracts('openapi/released.json', 'openapi/openapi.yaml', 'redocly.yaml');
const { released, current, breaking } = comparison;

for (const { file, line, message } of breaking) console.log(`${file}:${line} ${message}`);
if (!isAllowed(comparison)) {
  console.error(
    `${breaking.length} change(s) above break clients of the released contract ${released}. Take them back, or make a new major version: ` +
      `info.version in openapi/openapi.yaml is ${current}, and the namespace in servers must follow it.`,
  );
  process.exitCode = 1;
} else {
  console.log(`nothing in ${current} breaks a client of ${released} without saying so`);
}
