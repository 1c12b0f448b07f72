import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import { type RecordedClicks, recordClicks } from '../../domain/clicks/record.ts';
import { buildProgram } from '../../site/program.ts';
import type { ProgramService } from './program.ts';

export interface ClickSample extends Omit<IncomingClick, 'couponId' | 'clickedAt'> {
  coupon: number;
  /** UTC. */
  at: string;
}

/** Records clicks as a store would. */
export async function clicks(service: ProgramService, samples: readonly ClickSample[]): Promise<RecordedClicks> {
  const incoming = samples.map(({ coupon, at, ...rest }) => ({ couponId: coupon, clickedAt: Date.parse(at), ...rest }));
  const context = { program: buildProgram(await service.settings.current()), hashVisitor: service.hashVisitor };
  return service.storage.write((transaction) => recordClicks(transaction, incoming, context));
}
