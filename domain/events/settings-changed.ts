import type { Transaction } from '../unit-of-work.ts';
import type { EventRepository } from './event.ts';

/** The feed names the paths only: values may be confidential. */
export async function recordSettingsChange(
  { events }: Transaction<{ events: EventRepository }>,
  paths: readonly string[],
  { now, userId }: { now: number; userId: number },
): Promise<void> {
  if (paths.length === 0) return;
  await events.record({
    kind: 'settings_changed',
    type: null,
    objectType: 'site',
    // There is one.
    objectId: 1,
    userId,
    info: `Settings were changed: ${paths.join(', ')}.`,
    data: { paths },
    at: now,
  });
}
