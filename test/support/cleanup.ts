const endings: (() => unknown)[] = [];

/** Registers a cleanup that runs after the tests of a file (of all files, where they run in one process). */
export const runAfterAllTests = (ending: () => unknown): void => void endings.push(ending);

export async function runCleanups(): Promise<void> {
  for (const ending of endings.splice(0).toReversed()) await ending();
}
