import { localDateTime } from '../dates.ts';
import type { Secrets } from '../master-key/secrets.ts';
import { toNumber } from '../money.ts';
import type { PayoutDetailsRepository } from '../payout-details/payout-details.ts';
import { destinationOf } from '../payout-details/save.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import type { User } from '../users/user.ts';
import { type PersonalDataRepository, type PersonalRow, type PersonalSection, personalSections } from './personal-data.ts';

interface ExportRepositories {
  personalData: PersonalDataRepository;
  payoutDetails: PayoutDetailsRepository;
}

interface ExportContext {
  zone: string;
  currency: string;
  now: number;
  /** Of payout details. */
  decrypt: Secrets['decrypt'];
}

/** Rows in memory at once. */
const pageSize = 1000;

/**
 * Everything about a person as one JSON document, in pieces. Each page of rows is a read of its own: the consumer may be slow, and SQLite
 * cannot checkpoint its log during a long read.
 */
export async function* exportPerson(
  storage: UnitOfWork<ExportRepositories>,
  { id }: Pick<User, 'id'>,
  context: ExportContext,
): AsyncGenerator<string> {
  const details = await storage.query(({ payoutDetails }) => payoutDetails.ofUser(id));
  const saved = details && {
    method: details.method,
    method_type: details.methodType,
    updated: localDateTime(details.updatedAt, context.zone),
    // Null where it was encrypted with another master key.
    destination: destinationOf(details, context.decrypt) ?? null,
  };
  yield `{\n"exported": ${JSON.stringify(localDateTime(context.now, context.zone))},\n"payout_details": ${JSON.stringify(saved)}`;
  for (const section of personalSections) {
    yield `,\n"${section}": [`;
    yield* exportSection(storage, section, id, context);
    yield ']';
  }
  yield '\n}\n';
}

async function* exportSection(
  storage: UnitOfWork<ExportRepositories>,
  section: PersonalSection,
  userId: number,
  context: ExportContext,
): AsyncGenerator<string> {
  const keys = await storage.query(({ personalData }) => personalData.keys(section, userId));
  for (let start = 0; start < keys.length; start += pageSize) {
    const page = keys.slice(start, start + pageSize);
    const rows = await storage.query(({ personalData }) => personalData.rows(section, page));
    yield `${start === 0 ? '' : ','}\n${rows.map((row) => JSON.stringify(toReadable(row, context))).join(',\n')}`;
  }
}

/** Amounts in the store's currency, and moments in its time zone. */
function toReadable(row: PersonalRow, { zone, currency }: ExportContext): PersonalRow {
  const readable = Object.entries(row).map(([column, value]): [string, unknown] => {
    if (column.endsWith('_minor'))
      return [column.slice(0, -'_minor'.length), typeof value === 'number' ? toNumber(value, currency) : value];
    if (column.endsWith('_at')) return [column.slice(0, -'_at'.length), typeof value === 'number' ? localDateTime(value, zone) : value];
    return [column, value];
  });
  return Object.fromEntries(readable);
}
