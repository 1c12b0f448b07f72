export interface FuzzOptions {
  readonly seed: number;
  /** Number of valid and of mutated requests each. */
  readonly runs: number;
}

export interface FuzzFailure {
  readonly operationId: string;
  readonly seed: number;
  readonly what: string;
  readonly caller: string;
  readonly faults: readonly string[];
  /** The shortest failing request, as a JSON string. */
  readonly sent: string;
}

/** Counts of one operation. */
export interface FuzzTally {
  readonly operationId: string;
  valid: number;
  mutated: number;
  readonly statuses: Map<number, number>;
  /** By what was mutated. */
  readonly kinds: Map<string, number>;
  readonly failures: FuzzFailure[];
}

export const createTally = (operationId: string): FuzzTally => ({
  operationId,
  valid: 0,
  mutated: 0,
  statuses: new Map(),
  kinds: new Map(),
  failures: [],
});

export const count = <Key>(counts: Map<Key, number>, key: Key, more = 1): void => void counts.set(key, (counts.get(key) ?? 0) + more);

/** Thrown at a wrong response. */
export class FaultError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** The failure, and the command that reproduces it. */
export const describeFailure = (
  { operationId, seed, what, caller, faults, sent }: FuzzFailure,
  { runs }: FuzzOptions,
  engine: string,
): string =>
  [
    `${operationId}, ${what}, as ${caller}:`,
    ...faults.map((fault) => `  ${fault}`),
    `  ${sent}`,
    `  npm run fuzz -- --seed ${seed} --runs ${runs} --operation ${operationId} --engine ${engine}`,
  ].join('\n');

/** FNV-1a. Every operation and kind has a seed of its own, so that it repeats the same requests when it runs alone. */
export function seedFor(seed: number, ...names: string[]): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of names.join(' ')) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
