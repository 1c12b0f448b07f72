import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CommandMessage, CommandOutcome } from './command-process.ts';
import { compiledProgram } from './compiled-command.ts';

const idle: ChildProcess[] = [];

/** Runs a command in a process that runs many, one after the other: the start of a process takes longer than most commands. */
export async function runCommand(message: CommandMessage): Promise<CommandOutcome> {
  const child = idle.pop() ?? start();
  child.ref();
  child.channel?.ref();
  const ended = new AbortController();
  const died = once(child, 'exit', ended).then(([code]) => {
    throw new Error(`The process ended with ${String(code)} during affiliate ${message.args.join(' ')}.`);
  });
  try {
    child.send(message);
    const [outcome] = (await Promise.race([once(child, 'message', ended), died])) as [CommandOutcome];
    idle.push(child);
    return outcome;
  } finally {
    ended.abort();
    died.catch(() => {});
    child.unref();
    child.channel?.unref();
  }
}

/** Ends with this process, by the end of the channel. */
const start = (): ChildProcess =>
  spawn(process.execPath, compiledProgram('test/cli/command-process.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
