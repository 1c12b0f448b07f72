import { Readable, Writable } from 'node:stream';
import { run } from '../../cli/program.ts';

// Runs the commands of its argument one after the other, each with streams of its own, and prints their outcomes, for `Machine.runSeries`.

export interface CommandWithInput {
  args: readonly string[];
  input?: string | undefined;
}

function replaceStream(name: 'stdin' | 'stdout' | 'stderr', value: Readable | Writable): void {
  Object.defineProperty(process, name, { value, configurable: true });
}

/** Returns a function that reads what was written to the stream so far. */
function collect(name: 'stdout' | 'stderr'): () => string {
  const chunks: Buffer[] = [];
  replaceStream(name, new Writable({ write: (chunk: Buffer, _encoding, done) => done(void chunks.push(chunk)) }));
  return () => Buffer.concat(chunks).toString();
}

const { stdout } = process;
const outcomes: { code: number; out: string; err: string }[] = [];
for (const { args, input = '' } of JSON.parse(process.argv[2] ?? '') as CommandWithInput[]) {
  const [out, err] = [collect('stdout'), collect('stderr')];
  replaceStream('stdin', Readable.from([Buffer.from(input)]));
  const code = await run(args);
  outcomes.push({ code, out: out(), err: err() });
}
stdout.write(JSON.stringify(outcomes));
