const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ctrl-C tidies up, then ends the process as it would have: shells see it by the signal. Gives what to call when all is tidy anyway. */
export function uponInterrupt(tidyUp: () => void): () => void {
  const release = (): void => {
    for (const signal of signals) process.off(signal, interrupted);
  };
  const interrupted = (signal: NodeJS.Signals): void => {
    release();
    tidyUp();
    // Whoever else tidies up is told by the same signal first.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, interrupted);
  return release;
}
