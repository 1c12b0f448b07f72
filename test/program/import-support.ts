import type { Circumstances } from '../../cli/import-export/apply-record.ts';
import { exportLines } from '../../cli/import-export/exporter.ts';
import { importAllOrNothing, importLines } from '../../cli/import-export/importer.ts';
import { takingHashes } from '../../cli/import-export/kinds/visitor.ts';
import type { Kind } from '../../cli/import-export/kinds.ts';
import { type ProgramLine, readLine } from '../../cli/import-export/program-lines.ts';
import { type FileDescription, rawLines } from '../../cli/import-export/raw-lines.ts';
import type { Tally } from '../../cli/import-export/tally.ts';
import type { BadLine } from '../../cli/import-export/text-lines.ts';
import type { Database } from '../../db/database.ts';
import { visitorHasher } from '../../domain/clicks/visitor.ts';
import { systemRandom } from '../../domain/random.ts';
import { secretsOf } from '../../domain/secrets.ts';
import { buildProgram } from '../../site/program.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import type { Observer } from '../support/engines.ts';

export const berlin = { zone: 'Europe/Berlin', currency: 'EUR' };

export const now = Date.parse('2026-11-02T07:00:00Z');

const settings = {
  'store.timezone': berlin.zone,
  'store.currency': berlin.currency,
  'commission.clearing_days': 14,
  'multi_level.rates': [10, 5],
};

const masterKey = 'the master key of every import';

export const circumstances = (changed: Record<string, unknown> = {}): Circumstances => ({
  program: buildProgram(buildSettings({ ...settings, ...changed }).settings),
  now,
  userId: 0,
  hashVisitor: takingHashes(visitorHasher(masterKey)),
  secrets: () => secretsOf('payout_details', masterKey, systemRandom),
});

/** In pieces that end anywhere, as a stream gives them. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function* linesOf(
  text: string | Buffer,
  description: Partial<FileDescription> = {},
  pieceSize = 50_000,
): AsyncGenerator<(ProgramLine | BadLine)[]> {
  const file = { name: 'shop.ndjson', kind: undefined, ...description };
  for await (const lines of rawLines(inPieces(Buffer.from(text), pieceSize), file))
    yield lines.map((line) => ('reason' in line ? line : readLine(line, berlin)));
}

export const ndjson = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

export const importText = (storage: Database, text: string, changed?: Record<string, unknown>): Promise<Tally> =>
  importLines(linesOf(text), { storage, circumstances: circumstances(changed) });

export const importRecords = (storage: Database, records: readonly object[], changed?: Record<string, unknown>): Promise<Tally> =>
  importText(storage, ndjson(records), changed);

export const importCsv = (storage: Database, name: string, text: string): Promise<Tally> =>
  importLines(linesOf(text, { name }), { storage, circumstances: circumstances() });

export const importStrictly = (storage: Database, records: readonly object[]): Promise<Tally> =>
  importAllOrNothing(() => linesOf(ndjson(records)), { storage, circumstances: circumstances() });

export async function exported(storage: Database, kind: Kind): Promise<string> {
  let text = '';
  for await (const line of exportLines(kind, { storage, store: berlin })) text += `${line}\n`;
  return text;
}

/** All rows of the program's tables, in an order that does not depend on when they were written. */
export async function contentOf(observer: Observer, leaveOut: Record<string, readonly string[]> = {}): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const table of tables) {
    const without = leaveOut[table] ?? [];
    const rows = await observer.query<Record<string, unknown>>(`select * from ${table}`);
    const kept = rows.map((row) => Object.entries(row).filter(([name]) => !without.includes(name)));
    content[table] = kept.map((row) => JSON.stringify(row)).toSorted();
  }
  return content;
}

const tables = [
  ...['users', 'coupons', 'orders', 'order_shares', 'lifetime_links', 'ledger', 'coupon_days', 'coupon_totals'],
  ...['clicks', 'click_days', 'click_totals', 'registrations', 'payout_details', 'mails', 'events'],
];
