import type { Command } from 'commander';
import { Refusal } from './refusal.ts';

/** What a command has to say: once for scripts, once for people. */
export interface Answer {
  json: unknown;
  text: string;
  /** Why the command ends with 1 although it has an answer. */
  failure?: string;
}

export interface OutputOptions {
  json?: true;
}

const writeLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Commander's action for work that ends in one answer. Only here is anything written, so `--json` prints one document and nothing else. */
export const answering =
  <Given extends unknown[]>(work: (...given: Given) => Promise<Answer>) =>
  async (...given: [...Given, Command]): Promise<void> => {
    const command = given.at(-1) as Command;
    const { json, text, failure } = await work(...(given.slice(0, -1) as Given));
    writeLine(command.opts<OutputOptions>().json ? JSON.stringify(json, null, 2) : text);
    if (failure !== undefined) throw new Refusal(failure);
  };

/** Tells people how far it is. Scripts are told at the end, in the answer. */
export const progressOf =
  ({ json }: OutputOptions) =>
  (line: string): void => {
    if (!json) writeLine(line);
  };
