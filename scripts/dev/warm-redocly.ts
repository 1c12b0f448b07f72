import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RedoclyResult } from '../contract/redocly.ts';

const redoclyPackage = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
const program = pathToFileURL(path.join(path.dirname(redoclyPackage), 'lib', 'index.js')).href;

process.env['REDOCLY_TELEMETRY'] = 'off';
process.env['REDOCLY_SUPPRESS_UPDATE_NOTICE'] = 'true';
process.env['NO_COLOR'] = '1';
delete process.env['FORCE_COLOR'];

let runs = 0;

/**
 * Runs Redocly's command line inside this process. It offers no other way in, and its start takes longer than its work: from the second
 * run on its parts are loaded, and soon compiled. The program itself is a small module that runs when it is imported, so each run imports
 * it under another address. It wants to end the process, which here ends the run. One run at a time, in a process that itself says nothing.
 */
export function warmRedocly(args: string[]): Promise<RedoclyResult> {
  const said = { stdout: '', stderr: '' };
  const real = { argv: process.argv, exit: process.exit, once: process.once, out: process.stdout.write, err: process.stderr.write };
  return new Promise<RedoclyResult>((resolve, reject) => {
    process.argv = [process.execPath, 'redocly', ...args];
    process.stdout.write = into((text) => (said.stdout += text));
    process.stderr.write = into((text) => (said.stderr += text));
    process.exit = ((code = 0) => resolve({ ok: code === 0, ...said })) as typeof process.exit;
    // The last thing it does is to ask for the exit code to be set when nothing else is left to do. Here something always is.
    process.once = function once(this: NodeJS.Process, event: string, listener: () => void) {
      if (event !== 'beforeExit') return Reflect.apply(real.once, process, [event, listener]);
      listener();
      return this;
    } as typeof process.once;
    runs += 1;
    import(`${program}?run=${runs}`).catch(reject);
  }).finally(() => {
    process.argv = real.argv;
    process.exit = real.exit;
    process.once = real.once;
    process.stdout.write = real.out;
    process.stderr.write = real.err;
  });
}

/** A stream's `write` that keeps the text. */
const into = (keep: (text: string) => void): typeof process.stdout.write =>
  ((text: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
    keep(typeof text === 'string' ? text : Buffer.from(text).toString());
    const after = typeof encoding === 'function' ? encoding : done;
    if (typeof after === 'function') after();
    return true;
  }) as typeof process.stdout.write;
