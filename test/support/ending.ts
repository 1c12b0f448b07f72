const endings: (() => unknown)[] = [];

/** What is still to be ended when the tests of a file are over (of all files, where they run in one process). */
export const atTheEnd = (ending: () => unknown): void => void endings.push(ending);

export async function endAll(): Promise<void> {
  for (const ending of endings.splice(0).toReversed()) await ending();
}
