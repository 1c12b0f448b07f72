import type { RequestContext } from './request-context.ts';

/**
 * Calls `listener` once, when the response is sent or its client has disconnected; at once if that was before. The connection is watched too,
 * because a response that waits behind others on it gets no event when it closes.
 */
export function onResponseEnd({ req: { socket }, res }: Pick<RequestContext, 'req' | 'res'>, listener: () => void): void {
  if (socket.destroyed) return listener();
  const end = (): void => {
    res.off('close', end);
    socket.off('close', end);
    listener();
  };
  res.once('close', end);
  socket.once('close', end);
}
