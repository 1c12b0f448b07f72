import { spawn } from 'node:child_process';

export interface Step {
  name: string;
  command: string;
  args: string[];
}

interface Outcome {
  ok: boolean;
  output: string;
  seconds: number;
}

function run({ command, args }: Step): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { shell: false });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    const end = (ok: boolean, output: string) => resolve({ ok, output, seconds: (performance.now() - started) / 1000 });
    child.on('error', (error) => end(false, `${error.message}\n`));
    child.on('close', (code) => end(code === 0, Buffer.concat(chunks).toString()));
  });
}

/** Runs all steps, one line each; what a failing one says follows its line. All of them run, so that one look shows everything. */
export async function runSteps(steps: Step[]): Promise<void> {
  for (const step of steps) {
    const { ok, output, seconds } = await run(step);
    console.log(`${ok ? 'ok     ' : 'FAILED '} ${step.name} (${seconds.toFixed(1)} s)`);
    if (ok) continue;
    console.log(output.trimEnd().replace(/^/gm, '        '));
    process.exitCode = 1;
  }
}

/** One of the project's own scripts. */
export const script = (name: string, file: string, ...args: string[]): Step => ({
  name,
  command: process.execPath,
  args: ['--import', 'tsx', file, ...args],
});

/** A tool from node_modules/.bin. */
export const tool = (name: string, command: string, ...args: string[]): Step => ({ name, command: `node_modules/.bin/${command}`, args });

/** What the compiler found is kept, so that it looks again only at what has changed since, and what depends on that. */
export const types = tool(
  'types',
  'tsc',
  '--noEmit',
  '-p',
  'tsconfig.json',
  '--incremental',
  '--tsBuildInfoFile',
  'node_modules/.cache/types',
);
