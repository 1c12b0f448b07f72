/** A moment that is beyond all dates was not written by the service: it is shown as it is stored. */
export function writtenTime(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? `moment ${at}` : date.toISOString();
}
