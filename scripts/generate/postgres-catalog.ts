/**
 * Last part of `npm run generate`: generated/postgres-catalog.ts, what the migrations create on PostgreSQL. Starts a server only when a
 * migration was added or changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { openDatabase } from '../../db/database.ts';
import { postgresDialect } from '../../db/engine/dialect.ts';
import { openPostgres } from '../../db/engine/postgres/storage.ts';
import { migrations } from '../../db/migrations/index.ts';
import { findPostgres } from '../../db/schema/postgres-catalog.ts';
import { makePostgres, stopPostgres } from '../../test/support/postgres.ts';
import { runScript } from '../shared/usage.ts';
import { formatConstant } from './operations.ts';
import { updateFolder } from './stale-files.ts';

const file = 'generated/postgres-catalog.ts';

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const { up } of migrations) await up(async (sql) => void hash.update(sql), postgresDialect);
  return hash.digest('hex');
}

const selectTables = "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')";

async function formatCatalog(notice: string): Promise<string> {
  const url = await makePostgres();
  const database = await openDatabase({ url });
  await database.migrate().finally(() => database.close());
  const storage = await openPostgres(url, {});
  try {
    const found = await storage.read(async (manager) => {
      const tables: { relname: string }[] = await manager.query(selectTables);
      return findPostgres(
        manager,
        tables.map(({ relname }) => relname),
      );
    });
    const catalog = Object.fromEntries(found.map(({ what, definition }) => [what, definition]));
    return [notice, formatConstant('postgresCatalog', catalog)].join('\n');
  } finally {
    await storage.close();
    await stopPostgres();
  }
}

await runScript(async () => {
  const notice = `// Generated from db/migrations/ by \`npm run generate\`. Do not edit.\n// Statements: ${await fingerprint()}\n`;
  const current = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const isCurrent = current.startsWith(notice) || process.argv.includes('--check');
  const text = isCurrent ? current.replace(/^(\/\/.*\n)*/, notice) : await formatCatalog(notice);
  updateFolder({ folder: 'generated', source: 'db/migrations/', contents: { [file]: text } });
});
