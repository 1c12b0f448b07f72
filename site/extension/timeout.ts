/** What came within the time, or that nothing did. */
export type InTime<Value> = { late: false; value: Value } | { late: true };

/** Waits for a part of the site's module, but not for ever. */
export async function inTime<Value>(promise: Promise<Value>, milliseconds: number): Promise<InTime<Value>> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<InTime<Value>>((resolve) => {
    timer = setTimeout(() => resolve({ late: true }), milliseconds);
  });
  // A late result is dropped; a late rejection must not end the process.
  promise.catch(() => {});
  try {
    return await Promise.race([promise.then((value): InTime<Value> => ({ late: false, value })), patience]);
  } finally {
    clearTimeout(timer);
  }
}
