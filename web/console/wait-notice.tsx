import { useEffect, useState } from 'preact/hooks';
import { formatNumber } from './format.ts';
import { waitsUntil } from './session.ts';

/** Counts down until the requests that a rate limit refused are sent again. */
export function WaitNotice() {
  const until = waitsUntil.value;
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (until === 0) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  if (until === 0) return null;
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <p class="notice wait-notice" role="status">
      There were too many requests. This page goes on by itself in {formatNumber(seconds)} seconds.
    </p>
  );
}
