/** Makes the demo store that `npm run dev` serves, below the folder that is named, and ends. */
import { openDemoFolder } from '../../cli/demo/folder.ts';
import { formatError } from '../../cli/terminal/errors.ts';

/** Enough for every list to have pages; made in a second. */
const orders = 2000;

const [, , parent = ''] = process.argv;
const tell = (text: string): void => void process.stdout.write(text);

try {
  await openDemoFolder(parent).ensureStore({ fresh: false, orders, tell });
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
  process.exitCode = 1;
}
