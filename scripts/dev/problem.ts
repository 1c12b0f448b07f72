/** Something to mend, and where. */
export interface Problem {
  file: string;
  line: number;
  column: number;
  sentence: string;
  /** The lint rule or the compiler's number. */
  rule: string | null;
  /** The places in the contract that a mistake in the code follows from. */
  causes: string[];
}
