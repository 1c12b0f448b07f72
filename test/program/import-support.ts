import { exportLines } from '../../cli/commands/export.ts';
import type { ImportContext } from '../../cli/import-export/apply-records.ts';
import type { ImportResult } from '../../cli/import-export/import-result.ts';
import { importRecords, importStrictly } from '../../cli/import-export/importer.ts';
import { type FileDescription, readRecords } from '../../cli/import-export/record-reader.ts';
import type { Database } from '../../db/database.ts';
import { createVisitorHasher } from '../../domain/clicks/record.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { acceptHashes } from '../../domain/records/incoming.ts';
import type { RecordKind } from '../../domain/records/read-record.ts';
import { buildProgram } from '../../site/program.ts';
import { buildSettings } from '../../site/settings/settings.ts';

export const berlin = { zone: 'Europe/Berlin', currency: 'EUR' };

export const now = Date.parse('2026-11-02T07:00:00Z');

const settings = {
  'store.timezone': berlin.zone,
  'store.currency': berlin.currency,
  'commission.clearing_days': 14,
  'multi_level.rates': [10, 5],
};

const masterKey = 'the master key of every import';

export const importContext = (changed: Record<string, unknown> = {}): ImportContext => ({
  program: buildProgram(buildSettings({ ...settings, ...changed }).settings),
  now,
  userId: 0,
  origin: 'file',
  allowPrivileged: true,
  transferBalance: false,
  hashVisitor: acceptHashes(createVisitorHasher(masterKey)),
  secrets: () => createSecrets('payout_details', masterKey, systemRandom),
});

/** In chunks with arbitrary bounds, as a stream returns them. */
async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const recordsIn = (text: string | Buffer, description: Partial<FileDescription> = {}, chunkSize = 50_000) =>
  readRecords(inChunks(Buffer.from(text), chunkSize), { name: 'shop.ndjson', kind: undefined, locale: berlin, ...description });

export const ndjson = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

export const importText = (
  storage: Database,
  text: string,
  changed?: Record<string, unknown>,
  context: Partial<ImportContext> = {},
): Promise<ImportResult> => importRecords(recordsIn(text), { storage, context: { ...importContext(changed), ...context } });

export const importObjects = (
  storage: Database,
  records: readonly object[],
  changed?: Record<string, unknown>,
  context?: Partial<ImportContext>,
): Promise<ImportResult> => importText(storage, ndjson(records), changed, context);

export const importCsv = (storage: Database, name: string, text: string): Promise<ImportResult> =>
  importRecords(recordsIn(text, { name }), { storage, context: importContext() });

export const importObjectsStrictly = (storage: Database, records: readonly object[]): Promise<ImportResult> =>
  importStrictly(() => recordsIn(ndjson(records)), { storage, context: importContext() });

export async function exportText(storage: Database, kind: RecordKind): Promise<string> {
  let text = '';
  for await (const line of exportLines(kind, storage, berlin)) text += `${line}\n`;
  return text;
}
