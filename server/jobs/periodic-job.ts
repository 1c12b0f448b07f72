/** Runs now and every `everyMilliseconds`, never twice at once. A run that fails reports it itself. `stop` waits for the current run. */
export function startPeriodicJob(run: () => Promise<void>, everyMilliseconds: number): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const startRun = (): void => {
    running ??= run().finally(() => {
      running = undefined;
    });
  };
  startRun();
  const timer = setInterval(startRun, everyMilliseconds).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
