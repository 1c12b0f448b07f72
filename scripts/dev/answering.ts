/** What is asked of a process, by its name in that process's interface. */
export interface Request {
  id: number;
  name: string;
  given: unknown[];
}

export type Answer = { id: number; value: unknown } | { id: number; failure: string };

/** Makes this process answer what its parent asks, one after the other, until the parent is gone. */
export function answerRequests(methods: Record<string, (...given: never[]) => unknown>): void {
  let last: Promise<unknown> = Promise.resolve();
  process.on('message', ({ id, name, given }: Request) => {
    last = last
      .then(() => methods[name]?.(...(given as never[])))
      .then(
        (value) => tell({ id, value }),
        (error: unknown) => tell({ id, failure: error instanceof Error ? error.message : String(error) }),
      );
  });
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches every process of the terminal; the parent decides when this one ends.
  process.on('SIGINT', () => {});
}

const tell = (answer: Answer): void => void process.send?.(answer);
