import { copyFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { Client } from 'pg';
import sqlite3 from 'sqlite3';
import { type Database, type DatabaseOptions, openDatabase } from '../../db/database.ts';
import { refuseNesting } from './nesting-guard.ts';
import { dropPostgres, makePostgres, temporaryFolder } from './postgres.ts';

/** Queries a database directly, bypassing the code under test. */
export interface Observer {
  query<Row>(sql: string): Promise<Row[]>;
}

export interface ClosableObserver extends Observer {
  /** Closes it before the end of the test, so that the database can be copied. */
  close(): Promise<void>;
}

/** Its databases are dropped after the test, or after the suite if they were created in `before`. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /** A database without tables. */
  emptyUrl(): Promise<string>;
  /** A database of its own, with all tables and no rows. */
  freshUrl(): Promise<string>;
  /** A copy of a database that has no connections. */
  copyUrl(url: string): Promise<string>;
  /** Opens the database of `options.url`, by default a fresh one. */
  open(options?: Partial<DatabaseOptions>): Promise<Database & { url: string }>;
  observe(url: string): Promise<ClosableObserver>;
  /** Disposes of a thing together with the databases, the latest first. */
  readonly keep: Keep;
}

/** `TEST_ENGINES=sqlite` skips PostgreSQL, for tools that run the same tests many times. */
const names = (['sqlite', 'postgres'] as const).filter((name) => (process.env['TEST_ENGINES'] ?? name).includes(name));

const isProofOfBoth = process.env['PROVE_ENGINES'] === 'all';

/** Set by `npm run test:postgres`, which runs on PostgreSQL what `npm test` runs on SQLite alone. */
const isRest = process.env['TEST_ENGINE_REST'] === 'postgres';

/** What the tests hold depends on the engine: transactions, locks, statements, time, the order of text. `npm test` runs them on both. */
export function forEachEngine(describeTests: (engine: Engine) => void): void {
  if (!isRest) for (const name of names) describeOn(name, describeTests);
}

/** What the tests hold is the same on any engine: on SQLite in `npm test`, on PostgreSQL in `npm run test:postgres`. */
export function onAnyEngine(describeTests: (engine: Engine) => void): void {
  if (isProofOfBoth) forEachEngine(describeTests);
  else describeOn(isRest ? 'postgres' : 'sqlite', describeTests);
}

function describeOn(name: Engine['name'], describeTests: (engine: Engine) => void): void {
  describe(`on ${name}`, () => {
    const { keep, end } = lifetimes();
    describeTests(engineOn(name, keep));
    end();
  });
}

/** A run of single files defines them whichever run they belong to. */
const isAlone = process.env['MOCHA_WORKER_ID'] === undefined;

/** Long sequences of processes: on the named engine alone, SQLite in `npm test` and PostgreSQL in `npm run test:postgres`; on both in `npm run prove`. */
export function forEngineOrAll(name: Engine['name'], isProof: boolean, describeTests: (engine: Engine) => void): void {
  if (isProof) forEachEngine(describeTests);
  else if (isAlone || isRest === (name === 'postgres')) describeOn(name, describeTests);
}

/** Where the engine matters less than the time it takes: as `forEngineOrAll`, on both in `npm run prove -- engines`. */
export const mainlyOn = (name: Engine['name'], describeTests: (engine: Engine) => void): void =>
  forEngineOrAll(name, isProofOfBoth, describeTests);

interface Maker {
  empty(): Promise<string>;
  copy(url: string): Promise<string>;
  drop(url: string): Promise<void>;
  observe(url: string): Promise<ClosableObserver>;
}

let folder: string | undefined;
let files = 0;
const nextFile = (): string => {
  folder ??= temporaryFolder('sqlite-');
  files += 1;
  return `sqlite:${folder}/${files}.db`;
};
const pathOf = (url: string): string => url.slice('sqlite:'.length);

const makers: Record<Engine['name'], Maker> = {
  sqlite: {
    empty: async () => nextFile(),
    async copy(url) {
      const copied = nextFile();
      copyFileSync(pathOf(url), pathOf(copied));
      return copied;
    },
    drop: async (url) => rmSync(pathOf(url), { force: true }),
    async observe(url) {
      const handle = new sqlite3.Database(pathOf(url));
      handle.configure('busyTimeout', 10_000);
      const all = promisify(handle.all.bind(handle) as (sql: string, done: (error: Error | null, rows: unknown[]) => void) => void);
      return { query: <Row>(sql: string) => all(sql) as Promise<Row[]>, close: promisify(handle.close.bind(handle)) };
    },
  },
  postgres: {
    empty: () => makePostgres(),
    copy: makePostgres,
    drop: dropPostgres,
    async observe(url) {
      const client = new Client(url);
      await client.connect();
      return { query: async <Row>(sql: string) => (await client.query(sql)).rows as Row[], close: () => client.end() };
    },
  },
};

/** Migrated once for the whole run, because copying is faster than migrating. */
const templates = new Map<Engine['name'], Promise<string>>();

async function makeTemplate({ empty }: Maker): Promise<string> {
  const url = await empty();
  const database = await openDatabase({ url });
  await database.migrate();
  await database.close();
  return url;
}

function engineOn(name: Engine['name'], keep: Keep): Engine {
  const maker = makers[name];
  const lasting = async (making: Promise<string>): Promise<string> => {
    const url = await making;
    return keep(url, () => maker.drop(url));
  };
  const freshUrl = async (): Promise<string> => {
    const template = templates.get(name) ?? makeTemplate(maker);
    templates.set(name, template);
    return lasting(maker.copy(await template));
  };
  return {
    name,
    keep,
    emptyUrl: () => lasting(maker.empty()),
    freshUrl,
    copyUrl: (url) => lasting(maker.copy(url)),
    async open(options = {}) {
      const url = options.url ?? (await freshUrl());
      const database = Object.assign(refuseNesting(await openDatabase({ ...options, url })), { url });
      return keep(database, () => database.close());
    },
    async observe(url) {
      const { query, close } = await maker.observe(url);
      let closing: Promise<void> | undefined;
      const closeOnce = (): Promise<void> => (closing ??= close());
      return keep({ query, close: closeOnce }, closeOnce);
    },
  };
}

type Keep = <Thing>(thing: Thing, dispose: () => Promise<void>) => Thing;

/** Its hooks run before and after all hooks of the tests, so that it tells tests from suites and disposes of nothing in use. */
function lifetimes(): { keep: Keep; end(): void } {
  const ofSuite: (() => Promise<void>)[] = [];
  const ofTest: (() => Promise<void>)[] = [];
  let inTest = false;
  const dispose = async (disposals: (() => Promise<void>)[]): Promise<void> => {
    for (const disposal of disposals.splice(0).toReversed()) await disposal();
  };
  beforeEach(() => {
    inTest = true;
  });
  const keep: Keep = (thing, disposal) => {
    (inTest ? ofTest : ofSuite).push(disposal);
    return thing;
  };
  const end = (): void => {
    afterEach(async () => {
      inTest = false;
      await dispose(ofTest);
    });
    after(() => dispose(ofSuite));
  };
  return { keep, end };
}
