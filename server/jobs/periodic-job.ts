/** Runs now and every `everyMilliseconds`, never twice at once. A run that fails reports it itself. `stop` aborts the signal and waits for the current run. */
export function startPeriodicJob(run: (signal: AbortSignal) => Promise<void>, everyMilliseconds: number): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const startRun = (): void => {
    running ??= run(stopping.signal).finally(() => {
      running = undefined;
    });
  };
  startRun();
  const timer = setInterval(startRun, everyMilliseconds).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
