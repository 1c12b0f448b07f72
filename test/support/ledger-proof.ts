import type { Database } from '../../db/database.ts';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';

/** What `affiliate ledger verify` finds. */
export const findDifferences = async (database: Database): Promise<string[]> =>
  listSentences(await database.read((stores) => verifyLedger(stores, { written: String })));
