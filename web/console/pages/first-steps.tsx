import { Card, Icon } from '../components.tsx';
import { Loaded, useLoad } from '../load.tsx';
import type { ReportSummary, Setting } from '../records.ts';
import { api, getMe, isServed } from '../session.ts';
import { loadSettings } from '../settings.ts';

interface FirstStep {
  readonly text: string;
  readonly isDone: boolean;
  readonly href: string;
  /** What the link says. */
  readonly action: string;
}

interface Progress {
  readonly hasMethod: boolean;
  readonly isConnected: boolean;
}

async function loadProgress(): Promise<Progress> {
  const [settings, connections] = await Promise.all([
    isServed('get_settings') ? loadSettings() : [],
    isServed('get_store_connections') ? api.store.connections({ per_page: 1 }) : { items: [] },
  ]);
  return { hasMethod: settings.some(isOfferedMethod), isConnected: connections.items.some(({ status }) => status === 'active') };
}

/** Instead of zeros: what a new program still needs. Each step ticks itself off. */
export function FirstSteps({ report }: { report: ReportSummary }) {
  const progress = useLoad(loadProgress, []);
  return (
    <Card title="Set up your program">
      <Loaded from={progress}>
        {(done) => (
          <ol class="steps">
            {listSteps(report, done).map(({ text, isDone, href, action }) => (
              <li key={text} class={isDone ? 'done' : ''}>
                <span class="tick">{isDone && <Icon name="done" />}</span>
                <span>
                  {isDone && <span class="off-screen">Done: </span>}
                  {text} <a href={href}>{action}</a>
                </span>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Card>
  );
}

function listSteps({ totals }: ReportSummary, { hasMethod, isConnected }: Progress): FirstStep[] {
  const { currency, timezone } = getMe();
  const connection = {
    text: 'Connect your shop, so that its orders arrive by themselves.',
    isDone: isConnected,
    href: '/console/shop',
    action: 'Connect the shop',
  };
  return [
    {
      text: `Amounts are in ${currency}, days in the time zone ${timezone.replaceAll('_', ' ')}. Both are fixed with the first order.`,
      isDone: true,
      href: '/console/settings',
      action: 'Change them',
    },
    ...(isServed('get_store_connections') ? [connection] : []),
    {
      text: 'Add the first affiliate, with a coupon.',
      isDone: totals.affiliates > 0,
      href: '/console/affiliates',
      action: 'Add an affiliate',
    },
    { text: 'Offer a way to be paid.', isDone: hasMethod, href: '/console/settings?tab=methods', action: 'Choose payout methods' },
    {
      text: 'Send a test order with the coupon of an affiliate.',
      isDone: false,
      href: '/docs/guides/connect-a-store',
      action: 'How to send one',
    },
  ];
}

const isOfferedMethod = ({ path, value }: Setting): boolean => /^payouts\.methods\.\w+\.enabled$/.test(path) && value === true;
