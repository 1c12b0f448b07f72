import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isApiError } from '../../client/src/index.ts';
import { describeSetting } from './settings.ts';

export interface Loading<Value> {
  /** The last value stays while another is loaded. */
  readonly value: Value | undefined;
  /** The value, unless it belongs to other keys than the present ones. */
  readonly current: Value | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads when the component is shown, and again when one of `keys` changes. Null loads nothing. */
export function useLoad<Value>(load: ((signal: AbortSignal) => Promise<Value>) | null, keys: readonly unknown[]): Loading<Value> {
  const key = JSON.stringify(keys.map(String));
  const [state, setState] = useState<{ value?: Value; key?: string; error?: unknown; isLoading: boolean }>({ isLoading: load !== null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!load) return;
    const controller = new AbortController();
    setState((former) => ({ ...former, error: undefined, isLoading: true }));
    load(controller.signal).then(
      (value) => !controller.signal.aborted && setState({ value, key, isLoading: false }),
      (error) => !controller.signal.aborted && setState({ error, isLoading: false }),
    );
    return () => controller.abort();
  }, [round, key]);
  const { value, error, isLoading } = state;
  return { value, current: state.key === key ? value : undefined, error, isLoading, reload: () => setRound((count) => count + 1) };
}

/** Stands where something is loading, in about its shape. */
export const Skeleton = ({ lines = 4 }: { lines?: number }) => (
  <div class="waiting" role="status">
    <span class="off-screen">Loading …</span>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="bone" />
    ))}
  </div>
);

/** Shows the value as soon as it is there, or what went wrong. Styles hide the figures of a value that belongs to other keys. */
export function Loaded<Value>({ from, children }: { from: Loading<Value>; children: (value: Value) => ComponentChildren }) {
  if (from.error !== undefined) return <ErrorBox error={from.error} onRetry={from.reload} />;
  if (from.value === undefined) return <Skeleton />;
  return (
    <div class={from.current === undefined ? 'loaded former' : 'loaded'} aria-busy={from.isLoading}>
      {children(from.value)}
    </div>
  );
}

/** After these a change may have been made: the answer was lost, or is not one of the service, or an earlier one with the same key was given. */
export const isResultUnknown = (error: unknown): boolean =>
  isApiError(error) &&
  (error.status === 0 || error.status >= 500 || isApiError(error, 'unexpected_answer', 'svc_api_idempotency_mismatch'));

interface PageLink {
  readonly href: string;
  readonly text: string;
}

/** A record of a list that was refused, with the reason, and where a page helps. */
export class RefusedRecord extends Error {
  readonly link: PageLink | undefined;

  constructor(message: string, link?: PageLink) {
    super(message);
    this.link = link;
  }
}

/** Fails if the record has another status by now than the one that the reader decides about. Read just before the change. */
export function requireStatus<Status extends string>(
  seen: Status,
  { status }: { readonly status: Status },
  words: Readonly<Record<Status, { readonly label: string }>>,
): void {
  if (status !== seen) throw new RefusedRecord(`Nothing was sent: it is “${words[status].label}” by now, not “${words[seen].label}”.`);
}

/** For `findResult` of a dialog that creates a record: the newest one, which is the first of its list. */
export async function describeNewest<Row>(list: Promise<{ items: readonly Row[] }>, describe: (row: Row) => string): Promise<string> {
  const [newest] = (await list).items;
  return newest ? `The newest one by now: ${describe(newest)}` : 'There is none by now.';
}

interface Outcome {
  readonly outcome: string;
  readonly id: number | null;
  readonly reason: string | null;
}

/** The id of the one record that was sent. `lead` says what happened nevertheless. */
export function requireRecorded([outcome]: readonly Outcome[], lead: string): number {
  if (!outcome || outcome.id === null) throw new RefusedRecord(`${lead} ${outcome?.reason ?? 'The service refused it.'}`.trim());
  return outcome.id;
}

/** What became of the one record that was sent. */
export const describeSaved = ([outcome]: readonly Outcome[], name: string): string =>
  outcome?.outcome === 'unchanged' ? `Nothing changed: ${name} was the same before.` : `${name} is saved.`;

/** What browsers throw for addresses that the client of the API does not call, such as the one of the logo. */
const isUnsent = (error: unknown): boolean => error instanceof TypeError && /fetch|network|load failed/i.test(error.message);

/** A sentence for people. Most errors of the service have one. */
export function describeError(error: unknown): string {
  if (isApiError(error, 'no_answer', 'timed_out') || isUnsent(error))
    return 'The service cannot be reached. Check your connection, then try again.';
  if (isApiError(error, 'unexpected_answer')) return 'The service gave an unexpected answer. Try again in a moment.';
  if (isApiError(error, 'svc_api_rate_limited')) return 'There were too many requests. Wait a minute, then try again.';
  if (isApiError(error, 'rest_no_route')) return 'This site does not serve this any more. Reload the page.';
  if (isApiError(error, 'rest_invalid_param') && 'params' in error.data)
    return Object.values(error.data.params as Record<string, string>).join(' ');
  if (isApiError(error, 'svc_api_idempotency_mismatch')) return 'It was done at the first try, as entered then.';
  if (error instanceof RefusedRecord) return error.message;
  return isApiError(error) ? error.message : 'Something went wrong on this page. Reload it.';
}

/** Settings that a message names by their paths, in words and as links. */
const linkSettings = (message: string): ComponentChildren[] =>
  message.split(/(payouts\.sepa\.\w+)/).map((part) =>
    part.startsWith('payouts.sepa.') ? (
      <a key={part} href="/console/settings?tab=payouts">
        {describeSetting({ path: part, description: '' }).label}
      </a>
    ) : (
      part
    ),
  );

/** The request id finds the request in the log of the service. */
export function ErrorBox({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const requestId = isApiError(error) ? error.requestId : null;
  const parts = linkSettings(describeError(error));
  const isRemedied = parts.length > 1;
  return (
    <div class="notice bad-notice" role="alert">
      <p>
        {parts}
        {error instanceof RefusedRecord && error.link && (
          <>
            {' '}
            <a href={error.link.href}>{error.link.text}</a>
          </>
        )}
      </p>
      {requestId && !isRemedied && (
        <p class="small">
          If you report this, add the request id <code>{requestId}</code>.
        </p>
      )}
      {onRetry && (
        <button type="button" class="plain" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
