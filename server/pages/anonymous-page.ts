import type { Clock } from '../../domain/clock.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { WindowCounters } from '../../domain/window-counters.ts';
import type { BackgroundWork } from './background-work.ts';

/** What a page needs that sends mails to people without a session. */
export interface AnonymousPageOptions {
  storage: UnitOfWork<Repositories>;
  clock: Clock;
  random: SecureRandom;
  counters: WindowCounters;
  background: BackgroundWork;
}

/** The window of all limits of these pages. */
export const hourSeconds = 3600;
