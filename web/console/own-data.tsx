import { useState } from 'preact/hooks';
import { Card } from './components.tsx';
import { withConfirmedPassword } from './confirm-password.tsx';
import { download } from './csv.ts';
import { ErrorBox } from './load.tsx';
import { readFile } from './session.ts';

/** Everything that the service has about the reader, as a file. */
export function OwnData() {
  const [error, setError] = useState<unknown>();
  const [isLoading, setLoading] = useState(false);
  const save = async (): Promise<void> => {
    setError(undefined);
    setLoading(true);
    try {
      download('my-data.json', await withConfirmedPassword(() => readFile('/console/own-data.json')));
    } catch (failure) {
      setError(failure);
    } finally {
      setLoading(false);
    }
  };
  return (
    <Card title="Your data">
      <p>
        A file with everything that is stored about you: your account, coupons, orders, payouts, payout details and mails. It has your bank
        details, so keep it safe.
      </p>
      {error !== undefined && <ErrorBox error={error} />}
      <button type="button" class="plain" onClick={save} disabled={isLoading}>
        {isLoading ? 'Preparing…' : 'Download my data'}
      </button>
    </Card>
  );
}
