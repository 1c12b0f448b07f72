import { Client } from 'pg';
import { runAfterAllTests } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';

// Without fsync, commits survive a crash of the server but not of the machine, which is enough here.
const settings = {
  fsync: 'off',
  synchronous_commit: 'on',
  max_connections: '30',
  unix_socket_directories: '',
  dynamic_shared_memory_type: 'mmap',
  log_min_messages: 'fatal',
};

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has exited.
  }
}

/** A PostgreSQL server of one suite, which can crash, hang and restart. */
export class StoppablePostgres {
  readonly #folder = temporaryFolder('outage-');
  #server: PostgresServer | undefined;
  #port: number | undefined;

  async start(): Promise<void> {
    this.#server = await startPostgresServer(this.#folder, settings, this.#port);
    if (this.#port === undefined) runAfterAllTests(() => this.stop());
    this.#port = this.#server.port;
  }

  get url(): string {
    return this.#server?.urlOf('postgres') ?? '';
  }

  /** Like `pg_ctl stop -m immediate`. */
  async crash(): Promise<void> {
    await this.#server?.stop('SIGQUIT');
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  /** Suspends every process of the server: connections stay open without responses. Resolves to a function that resumes them. */
  async hang(): Promise<() => void> {
    const rows = await this.query('select pid from pg_stat_activity where pid <> pg_backend_pid()');
    const pids = [Number(this.#server?.pid), ...rows.map(({ pid }) => Number(pid))];
    const signalAll = (signal: 'SIGSTOP' | 'SIGCONT'): void => {
      for (const pid of pids) sendSignal(pid, signal);
    };
    signalAll('SIGSTOP');
    return () => signalAll('SIGCONT');
  }

  /** Uses a new connection. */
  async query(sql: string): Promise<Record<string, unknown>[]> {
    const client = await this.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** A session that the caller ends. */
  async connect(): Promise<Client> {
    const client = new Client(this.url);
    // The connection fails with the server.
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** Terminates all other connections, and resolves to their number. */
  async terminateConnections(): Promise<number> {
    const rows = await this.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return rows.length;
  }
}
