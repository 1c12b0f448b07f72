import type { UnitOfWork } from '../../domain/ports.ts';
import type { RecordFormat, StoreLocale } from './fields.ts';
import { type RecordKind, recordFormats } from './record-reader.ts';

const pageSize = 1000;

/**
 * All records of a kind by ascending key, one JSON object per line, as an import reads them. Each page is a read transaction of its own: the
 * consumer may be slow, and SQLite cannot checkpoint its log during a long read. Records added meanwhile have a higher key, so none is
 * written twice or skipped.
 */
export async function* exportLines(kind: RecordKind, storage: UnitOfWork, locale: StoreLocale): AsyncGenerator<string> {
  const format: RecordFormat<unknown, unknown> = recordFormats[kind];
  for (let after = 0; ; ) {
    const records = await storage.read(({ exports }) => format.page(exports, after, pageSize));
    for (const record of records) yield JSON.stringify({ kind, ...format.write(record, locale) });
    if (records.length < pageSize) return;
    after = format.keyOf(records.at(-1));
  }
}
