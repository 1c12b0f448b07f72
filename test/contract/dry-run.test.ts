import { expect } from 'chai';
import { maskUnsaved } from '../../site/document/dry-run.ts';
import { exampleCalls, type ServedDocument } from '../cli/example-calls.ts';
import { type Engine, type Observer, onAnyEngine } from '../support/engines.ts';
import { FilledProgram } from './filled-program.ts';

/** Written by every request that is identified, also by a dry run. */
const exempt: Record<string, readonly string[]> = { api_keys: ['last_used_at'], rate_limits: ['*'], window_counters: ['*'] };

const tableQueries: Record<Engine['name'], string> = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  postgres: "select tablename as name from pg_tables where schemaname = 'public'",
};

/** Every row of every table. */
async function readTables(engine: Engine, observer: Observer): Promise<Map<string, unknown[]>> {
  const tables = await observer.query<{ name: string }>(tableQueries[engine.name]);
  const contents = new Map<string, unknown[]>();
  for (const { name } of tables) {
    const omitted = exempt[name] ?? [];
    if (omitted.includes('*')) continue;
    const rows = await observer.query<Record<string, unknown>>(`select * from ${name}`);
    const kept = rows.map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).filter(([column]) => !omitted.includes(column)))));
    contents.set(name, kept.toSorted());
  }
  return contents;
}

/** Ids that a sequence assigns: on PostgreSQL a dry run uses them up. */
const withoutAssigned = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, part) => (/^(coupon_id|user_id|id|payout_id)$/.test(name) ? undefined : part)));

onAnyEngine((engine) => {
  describe('a dry run', () => {
    it('of every operation changes no row and answers as the real call after it', async () => {
      const program = await FilledProgram.open(engine);
      engine.keep(program, () => program.close());
      const observer = await engine.observe(program.service.databaseUrl);
      const { body: document } = await program.admin.get<ServedDocument>('/openapi');
      const calls = exampleCalls(document).filter(({ method }) => method !== 'GET');
      let tried = 0;
      for (const { method, path, body: json } of calls) {
        const call = `${method} ${path}`;
        const own = program.own(path);
        const hasDryRun = Object.hasOwn(document.paths, `/dry-run${templateOf(document, path)}`);
        const options = json === undefined ? {} : { json };
        if (hasDryRun) {
          tried += 1;
          await program.service.flush();
          const before = await readTables(engine, observer);
          const dry = await program.admin.call(method, `/dry-run${own}`, options);
          await program.service.flush();
          expect(await readTables(engine, observer), call).to.deep.equal(before);
          const real = await program.admin.call(method, own, options);
          expect([dry.status, dry.headers.get('X-Svc-Dry-Run')], `${call} ${JSON.stringify(dry.body)}`).to.deep.equal([real.status, '1']);
          const expected = maskUnsaved(real.body, real.status === 201);
          if (engine.name === 'sqlite') expect(dry.body, call).to.deep.equal(expected);
          else expect(withoutAssigned(dry.body), call).to.deep.equal(withoutAssigned(expected));
        } else await program.admin.call(method, own, options);
      }
      expect(tried).to.be.above(20);
    });
  });
});

/** `/payouts/{id}` of `/payouts/501`. */
function templateOf({ paths }: ServedDocument, path: string): string {
  const found = Object.keys(paths).find((template) => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path));
  return found ?? path;
}
