import { existsSync } from 'node:fs';
import { runRedocly } from './contract/redocly.ts';

const ignoreFile = '.redocly.lint-ignore.yaml';

if (existsSync(ignoreFile)) {
  console.error(
    `${ignoreFile} silences rules of the contract. Delete it, and mend what they find; a rule that is wrong is changed in redocly.yaml.`,
  );
  process.exitCode = 1;
} else {
  // Redocly writes to a pipe, so it has to be told when a person is looking.
  const inColour = process.stdout.isTTY && process.stdout.hasColors();
  const result = runRedocly(['lint', 'main', '--config', 'redocly.yaml'], process.cwd(), inColour);
  process.stdout.write(result.stdout);
  process.stderr.write(result.stderr);
  process.exitCode = result.ok ? 0 : 1;
}
