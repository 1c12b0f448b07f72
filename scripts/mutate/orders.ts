/** What a worker is told, and what it answers. */
export interface Order {
  /** Null for the code as it is. */
  mutant: number | null;
  /** Full titles of the tests to run; null for all. */
  titles: string[] | null;
}

export interface Outcome {
  /** The first failure, and the test in which it came up. */
  failed: { title: string; test: string; message: string } | null;
  tests: TestRun[];
}

export interface TestRun {
  title: string;
  milliseconds: number;
  /** Mutants that it comes by. */
  reached: number[];
}
