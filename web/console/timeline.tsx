import type { ComponentChildren } from 'preact';
import { Name } from './components.tsx';
import { formatDateTime } from './format.ts';
import type { Explained } from './words.ts';

export interface TimelineEntry {
  readonly title: string;
  readonly tone: Explained['tone'];
  readonly date: string;
  /** Null for the service itself. Undefined where it is not known. */
  readonly by: { readonly display_name: string } | null | undefined;
  readonly note?: ComponentChildren;
}

/** What happened to a record, the newest first. */
export const Timeline = ({ entries }: { entries: readonly TimelineEntry[] }) => (
  <ol class="timeline" reversed>
    {entries.toReversed().map(({ title, tone, date, by, note }, index) => (
      <li key={index} class={tone}>
        <span>
          <b>{title}</b> {note}
        </span>
        <span class="quiet">
          {formatDateTime(date)}
          {by && <> by {<Name>{by.display_name}</Name>}</>}
          {by === null && ' by the service'}
        </span>
      </li>
    ))}
  </ol>
);
