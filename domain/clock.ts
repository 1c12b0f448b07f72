/** Now, in milliseconds since 1970 UTC. Everything that asks for the time asks a clock, so that tests can move it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
