import { runRedocly } from '../contract/redocly.ts';
import { allStories } from './workflow.ts';

const files = allStories().map(({ file }) => file);
const inColour = process.stdout.isTTY && process.stdout.hasColors();
const result = runRedocly(['lint', ...files, '--config', 'openapi/workflows/redocly.yaml'], process.cwd(), inColour);
process.stdout.write(result.stdout);
process.stderr.write(result.stderr);
process.exitCode = result.ok ? 0 : 1;
