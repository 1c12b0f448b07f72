import { useRef, useState } from 'preact/hooks';
import { Field, Tabs } from './components.tsx';
import { addDays, secondsOf, today } from './format.ts';
import { getChoice, getQuery, hrefWith, setQuery } from './router.ts';

export type Interval = 'day' | 'week' | 'month';

/** Days of the store's time zone. Without `from`, everything. */
export interface Range {
  readonly days: { from?: string; to?: string };
  readonly interval: Interval;
  /** The period of the same length before. Null for everything. */
  readonly before: { from: string; to: string } | null;
  readonly key: string;
}

const lengths: Record<string, number> = { '7d': 7, '30d': 30, '90d': 90, year: 365 };
const labels: Record<string, string> = { '7d': '7 days', '30d': '30 days', '90d': '90 days', year: 'Year', all: 'All' };
const defaultRange = '30d';

/** Not 2026-02-30, which JavaScript reads as a day of March. */
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(secondsOf(text)) && addDays(text, 0) === text;

function readOwnDays(): { from: string; to: string } | null {
  const [from, to] = [getQuery('from'), getQuery('to') || today()];
  return isDay(from) && isDay(to) && from <= to ? { from, to } : null;
}

/** The range in the address: `range=90d`, or `from` and `to`. */
export function readRange(): Range {
  const own = readOwnDays();
  if (own) return createRange(own.from, own.to);
  const name = getChoice('range', labels) ?? defaultRange;
  if (name === 'all') return { days: {}, interval: 'month', before: null, key: 'all' };
  return createRange(addDays(today(), 1 - (lengths[name] ?? 30)), today());
}

function createRange(from: string, to: string): Range {
  const length = Math.round((secondsOf(to) - secondsOf(from)) / 86_400) + 1;
  const interval = length <= 45 ? 'day' : length <= 400 ? 'week' : 'month';
  return { days: { from, to }, interval, before: { from: addDays(from, -length), to: addDays(from, -1) }, key: `${from}–${to}` };
}

export function RangeChoice() {
  const own = readOwnDays();
  const [isOpen, setOpen] = useState(own !== null);
  const current = own ? 'own' : (getChoice('range', labels) ?? defaultRange);
  const items = Object.entries(labels).map(([name, text]) => ({
    text,
    href: hrefWith({ range: name === defaultRange ? null : name, from: null, to: null, page: null }),
    isCurrent: name === current,
  }));
  const isTyped = useRef(false);
  const apply = (event: SubmitEvent): void => {
    event.preventDefault();
    isTyped.current = false;
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const [from = '', to = ''] = [String(fields.get('from')), String(fields.get('to'))].sort();
    setQuery({ from, to, range: null, page: null });
  };
  // Days that are shown are those of the figures.
  const applyTyped = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    const form = currentTarget as HTMLFormElement;
    if (isTyped.current && !form.contains(relatedTarget as Node | null) && form.checkValidity()) form.requestSubmit();
  };
  return (
    <div class="range">
      <Tabs label="Range" items={items} />
      <button type="button" class={`plain${own ? ' current' : ''}`} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Custom dates
      </button>
      {isOpen && (
        <form
          key={own && `${own.from} ${own.to}`}
          class="range-form"
          onSubmit={apply}
          onInput={() => void (isTyped.current = true)}
          onFocusOut={applyTyped}
        >
          <Field label="From">
            {(id) => <input id={id} name="from" type="date" required defaultValue={own?.from ?? addDays(today(), -29)} max={today()} />}
          </Field>
          <Field label="To">{(id) => <input id={id} name="to" type="date" required defaultValue={own?.to ?? today()} />}</Field>
          <button type="submit" class="plain">
            Show
          </button>
        </form>
      )}
    </div>
  );
}
