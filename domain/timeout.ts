/** Returns what `work` resolves to, or what `onTimeout` returns or throws if that takes longer than `ms`. */
export async function withTimeout<Value, Late>(work: Promise<Value>, ms: number, onTimeout: () => Late): Promise<Value | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  }).then(onTimeout);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
