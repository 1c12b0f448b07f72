export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** Holds something up until the test has seen what it wants to see. */
export function gate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Opens once so many have arrived. */
export function meetingOf(count: number): () => Promise<void> {
  const { opened, open } = gate();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === count) open();
    return opened;
  };
}

/** The error that it fails with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error('It should have failed.');
}
