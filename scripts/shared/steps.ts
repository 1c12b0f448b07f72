import { spawn } from 'node:child_process';

export interface Step {
  name: string;
  command: string;
  args: string[];
}

function run({ command, args }: Step): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

/** Runs all steps, also after a failure, two at a time. Prints a line for each, in their order, followed by the output of a step that fails. */
export async function runSteps(steps: Step[]): Promise<void> {
  const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  let printed = Promise.resolve();
  for (const step of steps) {
    const lane = await Promise.race(lanes.map((busy, index) => busy.then(() => index)));
    const report = runStep(step);
    lanes[lane] = report;
    printed = Promise.all([report, printed]).then(([print]) => print());
  }
  await printed;
}

/** Resolves to a function that prints the outcome. */
async function runStep(step: Step): Promise<() => void> {
  const startedMs = performance.now();
  const { ok, output } = await run(step);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  return () => {
    console.log(`${ok ? 'ok     ' : 'FAILED '} ${step.name} (${seconds} s)`);
    if (ok) return;
    console.log(output.trimEnd().replace(/^/gm, '        '));
    process.exitCode = 1;
  };
}

/** One of the project's own scripts. */
export const script = (name: string, file: string, ...args: string[]): Step => ({
  name,
  command: process.execPath,
  args: ['--import', 'tsx', file, ...args],
});

/** A tool from node_modules/.bin. */
export const tool = (name: string, command: string, ...args: string[]): Step => ({ name, command: `node_modules/.bin/${command}`, args });

const typeCheckArgs = ['--noEmit', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types'];

/** Incremental: the compiler checks only what changed since the last run, and what depends on it. */
export const typeCheck = tool('types', 'tsc', ...typeCheckArgs);
