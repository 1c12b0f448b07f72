const everyMs = 1000;

/** For development: reloads the page when the service has another document. While the service restarts, nothing happens. */
export function reloadOnChange(): void {
  let shown: string | null = null;
  const check = async (): Promise<void> => {
    const { ok, headers } = await fetch('/docs/openapi.json', { method: 'HEAD', cache: 'no-store' });
    const served = ok ? headers.get('ETag') : null;
    if (served !== null && shown !== null && served !== shown) location.reload();
    shown = served ?? shown;
  };
  const repeat = (): void =>
    void check()
      .catch(() => {})
      .finally(() => setTimeout(repeat, everyMs));
  repeat();
}
