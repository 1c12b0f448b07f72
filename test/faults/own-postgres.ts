import { Client } from 'pg';
import { atTheEnd } from '../support/ending.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';

// Without fsync it survives its own death and not that of the machine, which is enough here. What is acknowledged has left its memory.
const settings = {
  fsync: 'off',
  synchronous_commit: 'on',
  max_connections: '30',
  unix_socket_directories: '',
  dynamic_shared_memory_type: 'mmap',
  log_min_messages: 'fatal',
};

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** A PostgreSQL server for one suite alone, to be stopped, cut off and started again. */
export class OwnPostgres {
  readonly #folder = temporaryFolder('outage-');
  #server: PostgresServer | undefined;
  #port: number | undefined;

  async start(): Promise<void> {
    this.#server = await startPostgresServer(this.#folder, settings, this.#port);
    if (this.#port === undefined) atTheEnd(() => this.stop());
    this.#port = this.#server.port;
  }

  get url(): string {
    return this.#server?.urlOf('postgres') ?? '';
  }

  /** As `pg_ctl stop -m immediate` does it. */
  async crash(): Promise<void> {
    await this.#server?.stop('SIGQUIT');
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  /** Stops every process of the server where it is, without ending one: connections stay open and nobody answers. Gives the way back. */
  async hang(): Promise<() => void> {
    const rows = await this.query('select pid from pg_stat_activity where pid <> pg_backend_pid()');
    const pids = [Number(this.#server?.pid), ...rows.map(({ pid }) => Number(pid))];
    const tell = (signal: 'SIGSTOP' | 'SIGCONT'): void => {
      for (const pid of pids) signalTo(pid, signal);
    };
    tell('SIGSTOP');
    return () => tell('SIGCONT');
  }

  /** Asks on a connection of its own. */
  async query(sql: string): Promise<Record<string, unknown>[]> {
    const client = await this.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** For a session that stays. */
  async connect(): Promise<Client> {
    const client = new Client(this.url);
    // It ends with the server, which is no news.
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** Ends every connection but the one that asks. How many it were. */
  async cutConnections(): Promise<number> {
    const rows = await this.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return rows.length;
  }
}
