import { Card, Facts, PageHead } from '../components.tsx';
import { formatNumber } from '../format.ts';
import { api, getMe } from '../session.ts';

/** What this site serves. Settings are changed where the service runs. */
export function Settings() {
  const { edition, api_version, currency, timezone, operations } = getMe();
  return (
    <>
      <PageHead title="Settings" lead="What this site serves, and where to change it." />
      <div class="columns">
        <Card title="Site">
          <Facts
            of={[
              ['Edition', edition === 'pro' ? 'Pro' : 'Free: without payouts and webhooks'],
              ['Currency', currency],
              ['Time zone', timezone.replaceAll('_', ' ')],
              ['Version of the API', api_version],
              ['Address of the API', <code>{api.baseUrl}</code>],
            ]}
          />
        </Card>
        <Card title="Change them">
          <p>Settings are changed with the command line, where the service runs. They take effect at once, without a restart.</p>
          <pre>
            {`npx affiliate settings list
npx affiliate settings get store.currency
npx affiliate settings set edition '"free"'`}
          </pre>
          <p>
            <a href="/docs/guides/run-in-production">Run in production</a> explains them.
          </p>
        </Card>
      </div>
      <Card title="What you may call">
        <p class="quiet">
          {formatNumber(operations.length)} operations. Those that are switched off, or not in the edition, are not in the list.
        </p>
        <ul class="codes">
          {operations.map((operation) => (
            <li key={operation}>
              <a href={`/docs#${operation}`}>
                <code>{operation}</code>
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}
