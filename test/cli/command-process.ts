import { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { takeCoverage } from 'node:v8';
import { run } from '../../cli/program.ts';

// Runs one command for each message, with the variables and the streams of a process of its own, and sends its outcome.

export interface CommandMessage {
  args: readonly string[];
  input: string;
  variables: NodeJS.ProcessEnv;
}

export interface CommandOutcome {
  code: number | null;
  out: string;
  err: string;
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

function replaceVariables(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
}

const idle = process.getActiveResourcesInfo().length;
const longestEndMs = 10_000;

/** What would keep a process of this command from ending: sockets, files, timers. */
async function listLeftOpen(): Promise<string[]> {
  const deadline = performance.now() + longestEndMs;
  for (;;) {
    const active = process.getActiveResourcesInfo();
    if (active.length <= idle) return [];
    if (performance.now() > deadline) return active;
    await wait(1);
  }
}

async function runCommand({ args, input, variables }: CommandMessage): Promise<CommandOutcome> {
  replaceVariables(variables);
  const [out, err] = [collect('stdout'), collect('stderr')];
  replaceStream('stdin', Readable.from([Buffer.from(input)]));
  const code = await run(args);
  const open = await listLeftOpen();
  if (process.env['NODE_V8_COVERAGE']) takeCoverage();
  if (open.length > 0) throw new Error(`affiliate ${args.join(' ')} does not end: ${open.join(', ')} are open.`);
  return { code, out: out(), err: err() };
}

process.on('message', (message: CommandMessage) => void runCommand(message).then((outcome) => process.send?.(outcome)));
