/** One small change of the code that a test ought to notice. */
export interface Mutant {
  /** Its place in the list of its file. */
  id: number;
  file: string;
  line: number;
  /** What is replaced, as positions in the file. */
  start: number;
  end: number;
  to: string;
  /** A whole statement, not an expression. */
  isStatement: boolean;
}

export type Verdict =
  | { kind: 'killed'; by: string }
  /** Nothing fails; `unreached` where no test comes by at all. */
  | { kind: 'survived'; unreached: boolean };

export interface Judged {
  mutant: Mutant;
  /** The line as it is, and as it would be. */
  before: string;
  after: string;
  verdict: Verdict;
}

/** The lines that a mutant changes, as they are and as they would be. */
export function linesOf(source: string, { start, end, to }: Pick<Mutant, 'start' | 'end' | 'to'>): { before: string; after: string } {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const until = source.indexOf('\n', end) < 0 ? source.length : source.indexOf('\n', end);
  const after = source.slice(from, start) + to + source.slice(end, until);
  return { before: source.slice(from, until).trim(), after: after.trim() };
}
