const skipped = (): void => {};

interface TestsInProof {
  describeInProof: (title: string, define: (this: Mocha.Suite) => void) => void;
  itInProof: (title: string, run: Mocha.AsyncFunc | Mocha.Func) => void;
}

/** For tests that take longer than `npm test` may. `npm run prove` sets the variable of their check. */
export const inProof = (variable: string): TestsInProof =>
  process.env[variable] !== undefined ? { describeInProof: describe, itInProof: it } : { describeInProof: skipped, itInProof: skipped };
