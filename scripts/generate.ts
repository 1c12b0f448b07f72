import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bundle } from './generate/contract.ts';
import { eventsModule } from './generate/events.ts';
import { operationsModule } from './generate/operations.ts';
import { transitionsModule } from './generate/transitions.ts';
import { typesModule } from './generate/types.ts';

/** Everything that follows from the contract by machine: file name → content. Deterministic. */
async function generate(): Promise<Record<string, string>> {
  const contract = bundle('openapi/openapi.yaml');
  return {
    'generated/openapi.json': `${JSON.stringify(contract, null, 2)}\n`,
    'generated/api.d.ts': await typesModule(contract),
    'generated/operations.ts': operationsModule(contract),
    'generated/transitions.ts': transitionsModule(contract),
    'generated/events.ts': eventsModule(contract),
  };
}

const isCurrent = ([file, content]: [string, string]): boolean => existsSync(file) && readFileSync(file, 'utf8') === content;

try {
  const files = Object.entries(await generate());
  const stale = files.filter((file) => !isCurrent(file));
  if (process.argv.includes('--check')) {
    for (const [file] of stale) console.error(`${file} does not follow from openapi/. Run \`npm run generate\` and commit what it writes.`);
    if (stale.length > 0) process.exitCode = 1;
    else console.log(`generated/ is current (${files.length} files)`);
  } else {
    mkdirSync('generated', { recursive: true });
    for (const [file, content] of stale) writeFileSync(file, content);
    console.log(stale.length > 0 ? `wrote ${stale.map(([file]) => file).join(', ')}` : 'generated/ was current already');
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
