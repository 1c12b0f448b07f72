import { redocly } from './redocly.ts';

// A Redocly run of its own, so that its yellow and red reach the terminal as they are, without the box it prints about Node.
const result = redocly(['lint', 'main', '--config', 'redocly.yaml']);
process.stdout.write(result.stdout);
process.stderr.write(result.stderr);
process.exitCode = result.ok ? 0 : 1;
