import { compareContracts, isAllowed } from './compare.ts';

try {
  const comparison = compareContracts('openapi/released.json', 'openapi/openapi.yaml', 'redocly.yaml');
  const { released, current, breaking } = comparison;
  for (const { place, subject, message } of breaking) console.log(`${place} ${subject}: ${message}`);
  if (!isAllowed(comparison)) {
    console.error(
      `${breaking.length} change(s) above break clients of the released contract ${released}. Take them back, or make a new major version: ` +
        `info.version in openapi/openapi.yaml is ${current}, and the namespace in servers must follow it.`,
    );
    process.exitCode = 1;
  } else {
    console.log(`nothing in ${current} breaks a client of ${released} without saying so`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
