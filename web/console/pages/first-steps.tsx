import { Card, Icon } from '../components.tsx';
import { Loaded, useLoad } from '../load.tsx';
import type { ReportSummary, Setting } from '../records.ts';
import { api, getMe, isServed } from '../session.ts';

interface FirstStep {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  readonly href: string;
  /** What the link says. */
  readonly action: string;
}

interface Progress {
  readonly hasMethod: boolean;
  /** The shop has sent something. */
  readonly isConnected: boolean;
}

async function loadProgress(): Promise<Progress> {
  const [settings, connections] = await Promise.all([
    // The switches of operations are on later pages.
    isServed('get_settings') ? api.settings.list({ per_page: 100 }) : { items: [] },
    isServed('get_store_connections') ? api.store.connections({ per_page: 1 }) : { items: [] },
  ]);
  const [connection] = connections.items;
  const canLook = connection?.status === 'active' && isServed('get_store_connections_id_deliveries');
  const deliveries = canLook ? await api.store.deliveries(connection.id, { per_page: 1 }) : { items: [] };
  return { hasMethod: settings.items.some(isOfferedMethod), isConnected: deliveries.items.length > 0 };
}

/** Instead of zeros: what a new program still needs. Each step ticks itself off. */
export function FirstSteps({ report }: { report: ReportSummary }) {
  const progress = useLoad(loadProgress, []);
  return (
    <Card>
      <Loaded from={progress}>{(done) => <StepList steps={listSteps(report, done)} />}</Loaded>
    </Card>
  );
}

/** The first step that is not done is the one to do now. */
function StepList({ steps }: { steps: readonly FirstStep[] }) {
  const next = steps.find(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <>
      <p class="quiet">
        {done} of {steps.length} steps are done.
      </p>
      <progress value={done} max={steps.length} aria-label="Steps that are done" />
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.title} class={step.isDone ? 'done' : ''} aria-current={step === next ? 'step' : undefined}>
            <span class="tick">{step.isDone && <Icon name="done" />}</span>
            <span class="step-text">
              <b>
                {step.isDone && <span class="off-screen">Done: </span>}
                {step.title}
              </b>
              {!step.isDone && <span class="quiet">{step.text}</span>}
            </span>
            <a class={step === next ? 'primary' : 'plain'} href={step.href}>
              {step.isDone ? 'Open' : step.action}
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}

function listSteps({ totals }: ReportSummary, { hasMethod, isConnected }: Progress): FirstStep[] {
  const { currency, timezone } = getMe();
  const connection = {
    title: 'Connect your shop',
    text: 'Done when its first order has arrived.',
    isDone: isConnected,
    href: '/console/shop',
    action: 'Connect',
  };
  return [
    {
      title: `Currency and time zone: ${currency}, ${timezone.replaceAll('_', ' ')}`,
      text: '',
      isDone: true,
      href: '/console/settings',
      action: 'Open',
    },
    ...(isServed('get_store_connections') ? [connection] : []),
    {
      title: 'Add the first affiliate',
      text: 'With a coupon that customers use.',
      isDone: totals.affiliates > 0,
      href: '/console/affiliates?add=1',
      action: 'Add',
    },
    {
      title: 'Choose how affiliates are paid',
      text: 'For example PayPal or bank transfer.',
      isDone: hasMethod,
      href: '/console/settings?tab=methods',
      action: 'Choose',
    },
    {
      title: 'Send a test order',
      text: 'With the coupon of an affiliate. You see its commission here.',
      isDone: false,
      href: '/docs/guides/connect-a-store',
      action: 'How to',
    },
  ];
}

const isOfferedMethod = ({ path, value }: Setting): boolean => /^payouts\.methods\.\w+\.enabled$/.test(path) && value === true;
