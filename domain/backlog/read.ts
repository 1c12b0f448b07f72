import { gatewayMilliseconds } from '../payouts/change.ts';
import type { Repositories } from '../repositories.ts';
import type { Backlog } from './repository.ts';

export const readBacklog = ({ backlog }: Pick<Repositories, 'backlog'>, now: number): Promise<Backlog> =>
  backlog.at(now, now - gatewayMilliseconds);
