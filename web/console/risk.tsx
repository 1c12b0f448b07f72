import { type ComponentChildren, Fragment } from 'preact';
import { pages } from '../../client/src/index.ts';
import { formatAmountsIn } from './format.ts';
import { AffiliateLink, hrefOfOrder, hrefOfPayout, hrefOfSignal, NameLink } from './links.tsx';
import { useLoad } from './load.tsx';
import { nameOf } from './names.ts';
import type { Payout, RiskSignal } from './records.ts';
import { riskKinds, riskSeverities } from './risk-words.ts';
import { api, isServed } from './session.ts';

const isStanding = ({ status }: RiskSignal): boolean => status === 'open' || status === 'confirmed';

/** Open and confirmed ones. */
async function loadSignalsAbout(userId: number): Promise<RiskSignal[]> {
  const { items } = await api.risk.signals({ user_id: userId, per_page: 100 });
  return items.filter(isStanding);
}

const useSignalsAbout = (userId: number): readonly RiskSignal[] =>
  useLoad(isServed('get_risk_signals') ? () => loadSignalsAbout(userId) : null, [userId]).value ?? [];

/** Beside the name of an affiliate. */
export const RiskBadges = ({ userId }: { userId: number }) => (
  <>
    {useSignalsAbout(userId).map(({ id, kind, severity }) => (
      <a
        key={id}
        class={`badge ${riskSeverities[severity].tone}`}
        href={hrefOfSignal(id) ?? '/console/risk'}
        title={riskKinds[kind].meaning}
      >
        {riskKinds[kind].label}
      </a>
    ))}
  </>
);

const ranks: Readonly<Record<RiskSignal['severity'], number>> = { high: 0, medium: 1, low: 2 };
export const compareSeverity = (one: RiskSignal, other: RiskSignal): number => ranks[one.severity] - ranks[other.severity];

/** From which severity on signals hold payouts. By default it is `high`. */
async function loadHoldSetting(): Promise<string> {
  if (!isServed('get_settings')) return 'high';
  // It is on the first page. `pages` begins with the next one before that is known.
  const { items } = await api.settings.list({ per_page: 100 });
  return String(items.find(({ path }) => path === 'risk.hold_payouts')?.value ?? 'high');
}

async function filterHolding(signals: readonly RiskSignal[]): Promise<RiskSignal[]> {
  if (signals.length === 0) return [];
  const least = await loadHoldSetting();
  return signals
    .filter(({ severity }) => least !== 'none' && ranks[severity] <= ranks[least as RiskSignal['severity']])
    .toSorted(compareSeverity);
}

/** By the affiliate, the signals that hold payouts, the gravest first. */
export type Holds = ReadonlyMap<number, readonly RiskSignal[]>;

export async function loadHolds(): Promise<Holds> {
  if (!isServed('get_risk_signals')) return new Map();
  const signals: RiskSignal[] = [];
  for (const status of ['open', 'confirmed'] as const)
    for await (const signal of pages(api.risk.signals, { status, per_page: 100 }).items()) signals.push(signal);
  const holds = new Map<number, RiskSignal[]>();
  for (const signal of await filterHolding(signals)) holds.set(signal.user_id, [...(holds.get(signal.user_id) ?? []), signal]);
  return holds;
}

const HoldReason = ({ by }: { by: readonly RiskSignal[] }) => (
  <>
    Held:{' '}
    {by.map(({ id, kind }, at) => (
      <Fragment key={id}>
        {at > 0 && ', '}
        <NameLink href={hrefOfSignal(id)} name={riskKinds[kind].label} />
      </Fragment>
    ))}
  </>
);

/** On the page of a payout that is not on its way yet. */
export function HeldNotice({ payout: { status, user } }: { payout: Payout }) {
  const canBeHeld = status === 'pending' && isServed('get_risk_signals');
  const load = async (): Promise<RiskSignal[]> => filterHolding(await loadSignalsAbout(user.id));
  const holds = useLoad(canBeHeld ? load : null, [user.id, status]).value ?? [];
  if (!canBeHeld || holds.length === 0) return null;
  return (
    <p class="notice bad-notice">
      <HoldReason by={holds} />. Payout files leave it out until you have decided.
    </p>
  );
}

interface ChoiceProps {
  isIncluded: boolean;
  onChange: (isIncluded: boolean) => void;
}

interface LeftOutPayoutsProps extends ChoiceProps {
  of: readonly Payout[];
  reasonOf: (payout: Payout) => ComponentChildren;
  choice: string;
}

/** What a file leaves out, and the choice to include it. */
export const LeftOutPayouts = ({ of, reasonOf, choice, isIncluded, onChange }: LeftOutPayoutsProps) => (
  <>
    <ul class="small">
      {of.map((payout) => (
        <li key={payout.id}>
          <NameLink href={hrefOfPayout(payout.id)} name={`#${payout.id}`} /> {payout.user.display_name}. {reasonOf(payout)}
        </li>
      ))}
    </ul>
    <label class="check">
      <input type="checkbox" checked={isIncluded} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {choice}
    </label>
  </>
);

export const HeldPayouts = ({ held, holds, ...choice }: { held: readonly Payout[]; holds: Holds } & ChoiceProps) => (
  <LeftOutPayouts
    of={held}
    reasonOf={({ user }) => <HoldReason by={holds.get(user.id) ?? []} />}
    choice="Pay these, too. I have looked at each."
    {...choice}
  />
);

/** Why a file left a payout out. The service names a signal by its number and kind. */
export function LeftOutReason({ text }: { text: string }) {
  const [, id, , sentence] = /^Risk signal (\d+) \((\w+)\) holds it: (.+)$/.exec(text) ?? [];
  if (!id || !sentence) return <>{text}</>;
  return (
    <>
      Held: {formatAmountsIn(sentence)} <NameLink href={hrefOfSignal(Number(id))} name="Look at it" />
    </>
  );
}

const names = /((?:order|payout|user) \d+)/i;

/** A sentence of a signal. What it names by numbers leads there; users have their names. */
export const LinkedText = ({ text }: { text: string }) => (
  <>
    {formatAmountsIn(text)
      .split(names)
      .map((part, at) => (at % 2 ? linkOf(part) : part))}
  </>
);

function linkOf(part: string): ComponentChildren {
  const [kind = '', number] = part.split(' ');
  const id = Number(number);
  if (/user/i.test(kind)) return <AffiliateLink key={part} id={id} name={nameOf(id)} />;
  return <NameLink key={part} href={/order/i.test(kind) ? hrefOfOrder(id) : hrefOfPayout(id)} name={`${kind} #${id}`} />;
}
