import { type EntityManager, LessThan } from 'typeorm';
import type { Page, Paged } from '../../domain/page.ts';
import type { Signal, SignalFilter, SignalRepository } from '../../domain/risk/signal.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { riskSignals } from '../entities/risk.ts';
import { isAmong } from '../sql/insert.ts';
import { findPage, projectionOf, selectRows } from '../sql/projection.ts';

export const signalRepository = (manager: EntityManager): SignalRepository => ({
  byId: async (id) => (isId(id) ? manager.findOneBy(riskSignals, { id }) : null),
  page: (filter, page) => pageOfSignals(manager, filter, page),
  latestOf: (userIds) => latestOf(manager, userIds),
  holding: async (userIds, severities) => {
    if (userIds.length === 0 || severities.length === 0) return [];
    return manager
      .createQueryBuilder(riskSignals, 'signal')
      .where('signal.userId in (:...userIds) and signal.severity in (:...severities)', { userIds, severities })
      .andWhere("signal.status in ('open', 'confirmed')")
      .orderBy('signal.id')
      .getMany();
  },
  // A copy, because TypeORM writes the id into the object.
  insert: async (signal) => toSafeInteger((await manager.insert(riskSignals, { ...signal })).identifiers[0]?.['id']),
  update: async (id, change) => void (await manager.update(riskSignals, { id }, change)),
  expire: async (before) =>
    (await manager.update(riskSignals, { status: 'open', lastSeenAt: LessThan(before) }, { status: 'expired' })).affected ?? 0,
});

async function pageOfSignals(
  manager: EntityManager,
  { status, kinds, severity, userId }: SignalFilter,
  page: Page,
): Promise<Paged<Signal>> {
  if ((userId !== undefined && !isId(userId)) || kinds?.length === 0) return { items: [], total: 0 };
  const query = manager.createQueryBuilder(riskSignals, 'signal');
  if (status !== undefined) query.andWhere('signal.status = :status', { status });
  if (kinds !== undefined) query.andWhere('signal.kind in (:...kinds)', { kinds });
  if (severity !== undefined) query.andWhere('signal.severity = :severity', { severity });
  if (userId !== undefined) query.andWhere('signal.userId = :userId', { userId });
  return findPage(query.orderBy('signal.id', 'DESC'), page);
}

const signal = projectionOf(riskSignals);

/** By hand: a list of any length as one parameter. */
const latestOf = (manager: EntityManager, userIds: readonly number[]): Promise<Signal[]> =>
  selectRows(
    manager,
    signal,
    `select ${signal.list()} from risk_signals where id in (
       select coalesce(max(case when status = 'open' then id end), max(id)) from risk_signals
       where user_id ${isAmong(manager, 'bigint')} group by user_id, kind)`,
    [JSON.stringify(userIds)],
  );
