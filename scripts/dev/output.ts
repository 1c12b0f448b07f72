import path from 'node:path';
import { styleText } from 'node:util';

/** A mistake and its place, in the contract or in the code. */
export interface Problem {
  file: string;
  line: number;
  column: number;
  sentence: string;
  /** The lint rule, or the compiler's error number. */
  rule: string | null;
  /** Places in the contract that the mistake follows from. */
  causes: string[];
}

const isColored = process.stdout.isTTY && process.stdout.hasColors();
const paint = (style: 'red' | 'green' | 'dim', text: string): string => (isColored ? styleText(style, text) : text);

export const print = (line: string): void => void process.stdout.write(`${line}\n`);
export const printGood = (line: string): void => print(paint('green', line));
export const printBad = (line: string): void => print(paint('red', line));
export const printDim = (line: string): void => print(paint('dim', line));

/** About one screen: later problems often follow from the first ones. */
const shownProblems = 20;

/** `file:line:column  sentence  (rule)`, which terminals and editors turn into a link. */
export function printProblems(problems: readonly Problem[]): void {
  for (const { file, line, column, sentence, rule, causes } of problems.slice(0, shownProblems)) {
    // A failure of the service as it loads has no place.
    const place = file === '' ? '' : `${file}:${line}:${column}  `;
    print(`${place}${sentence}${rule === null ? '' : paint('dim', `  (${rule})`)}`);
    for (const cause of causes) print(`    ${paint('dim', 'the contract:')} ${cause}`);
  }
  if (problems.length > shownProblems) printDim(`and ${problems.length - shownProblems} more`);
}

/** Prints a line of the service's log: a failed request as the place in the code, any other line as it is. */
export function printLogLine(line: string): void {
  const problem = readFailure(line);
  if (problem) printProblems([problem]);
  else print(line);
}

/** The error of a log line at its first place in the project; null for any other line. */
export function readFailure(line: string): Problem | null {
  const { err } = parseLogLine(line);
  if (!err) return null;
  for (const [, file = '', row, column] of err.stack.matchAll(/(?:file:\/\/)?(\/[^()\n]+):(\d+):(\d+)\)?$/gm)) {
    const relative = path.relative('.', file);
    if (/^(\.\.|node_modules)/.test(relative)) continue;
    return { file: relative, line: Number(row), column: Number(column), sentence: `${err.type}: ${err.message}`, rule: null, causes: [] };
  }
  return null;
}

function parseLogLine(line: string): { err?: { type: string; message: string; stack: string } } {
  try {
    return line.startsWith('{') ? JSON.parse(line) : {};
  } catch {
    return {};
  }
}

export const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** Measures a run and its parts. */
export class Stopwatch {
  readonly #startedMs: number;
  readonly #parts = new Map<string, number>();

  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  async time<Result>(part: string, work: Promise<Result>): Promise<Result> {
    const startedMs = performance.now();
    return work.finally(() => this.#parts.set(part, performance.now() - startedMs));
  }

  get total(): string {
    return formatSeconds(performance.now() - this.#startedMs);
  }

  get parts(): string {
    return [...this.#parts].map(([part, milliseconds]) => `${part} ${formatSeconds(milliseconds)}`).join(' · ');
  }
}

const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(milliseconds < 100 ? 2 : 1)} s`;
