export interface FuzzOptions {
  readonly seed: number;
  /** Of valid and of mutated requests each. */
  readonly runs: number;
}

export interface Failure {
  readonly operationId: string;
  readonly seed: number;
  readonly what: string;
  readonly caller: string;
  readonly faults: readonly string[];
  /** Sends the shortest request that was found to go wrong. */
  readonly curl: string;
}

/** What was tried, and what came of it. */
export interface Tally {
  readonly operationId: string;
  valid: number;
  mutated: number;
  /** How often which status was answered. */
  readonly statuses: Map<number, number>;
  /** How often what was tried, and as whom. */
  readonly kinds: Map<string, number>;
  readonly callers: Map<string, number>;
  readonly failures: Failure[];
}

export const newTally = (operationId: string): Tally => ({
  operationId,
  valid: 0,
  mutated: 0,
  statuses: new Map(),
  kinds: new Map(),
  callers: new Map(),
  failures: [],
});

export const count = <Key>(counts: Map<Key, number>, key: Key, more = 1): void => void counts.set(key, (counts.get(key) ?? 0) + more);

/** An answer that should have been another one. */
export class Faulty extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** How to see a failure again, for people. */
export const told = ({ operationId, seed, what, caller, faults, curl }: Failure, { runs }: FuzzOptions, engine: string): string =>
  [
    `${operationId}, ${what}, as ${caller}:`,
    ...faults.map((fault) => `  ${fault}`),
    `  ${curl}`,
    `  npm run fuzz -- --seed ${seed} --runs ${runs} --operation ${operationId} --engine ${engine}`,
  ].join('\n');
