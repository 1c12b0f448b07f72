import { Card, Icon } from '../components.tsx';
import { useLoad } from '../load.tsx';
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

/** Instead of zeros: what a new program still needs. Each step ticks itself off. */
export function FirstSteps({ report: { totals } }: { report: ReportSummary }) {
  const settings = useLoad(isServed('get_settings') ? loadSettings : null, []);
  const connections = useLoad(isServed('get_store_connections') ? () => api.store.connections({ per_page: 1 }) : null, []);
  const { currency, timezone } = getMe();
  const steps: FirstStep[] = [
    {
      text: `Amounts are in ${currency}, days in the time zone ${timezone.replaceAll('_', ' ')}. Both are fixed with the first order.`,
      isDone: true,
      href: '/console/settings',
      action: 'Change them',
    },
    ...(isServed('get_store_connections')
      ? [
          {
            text: 'Connect your shop, so that its orders arrive by themselves.',
            isDone: connections.value?.items.some(({ status }) => status === 'active') === true,
            href: '/console/shop',
            action: 'Connect the shop',
          },
        ]
      : []),
    {
      text: 'Add the first affiliate, with a coupon.',
      isDone: totals.affiliates > 0,
      href: '/console/affiliates',
      action: 'Add an affiliate',
    },
    {
      text: 'Offer a way to be paid.',
      isDone: (settings.value ?? []).some(isOfferedMethod),
      href: '/console/settings?tab=methods',
      action: 'Choose payout methods',
    },
    {
      text: 'Send a test order with the coupon of an affiliate.',
      isDone: false,
      href: '/docs/guides/connect-a-store',
      action: 'How to send one',
    },
  ];
  return (
    <Card title="Set up your program">
      <ol class="steps">
        {steps.map(({ text, isDone, href, action }) => (
          <li key={text} class={isDone ? 'done' : undefined}>
            <span class="tick">{isDone && <Icon name="done" />}</span>
            <span>
              {isDone && <span class="off-screen">Done: </span>}
              {text} <a href={href}>{action}</a>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const isOfferedMethod = ({ path, value }: Setting): boolean => /^payouts\.methods\.\w+\.enabled$/.test(path) && value === true;
