import { gatewayMilliseconds } from '../payouts/change.ts';
import type { Stores } from '../ports.ts';
import type { Backlog } from './store.ts';

export const readBacklog = ({ backlog }: Pick<Stores, 'backlog'>, now: number): Promise<Backlog> =>
  backlog.at(now, now - gatewayMilliseconds);
