export type DatabaseLocation = { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string };

const allowed = 'Allowed are sqlite:<path of a file> and postgres://<user>:<password>@<host>:<port>/<database>.';

/** The url itself stays out of every sentence: it may hold a password. */
export function parseDatabaseUrl(url: string): DatabaseLocation {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === 'sqlite') return { engine: 'sqlite', path: sqlitePath(url.slice('sqlite:'.length)) };
  if (scheme === 'postgres' || scheme === 'postgresql') return { engine: 'postgres', url: postgresUrl(url) };
  throw new Error(`The database url ${scheme ? `cannot begin with "${scheme}:"` : 'names no kind of database'}. ${allowed}`);
}

function sqlitePath(path: string): string {
  if (path === '') throw new Error(`The database url names no file. ${allowed}`);
  if (path.startsWith(':memory:')) throw new Error('SQLite in memory is not supported: readers and the writer need a file to share.');
  // What follows two slashes is a host, and a file has none; three are the common way to write an absolute path.
  if (/^\/\/[^/]/.test(path)) throw new Error('Write sqlite:<path> without "//": sqlite:data/program.db or sqlite:/var/lib/program.db.');
  return path.replace(/^\/\/\//, '/');
}

function postgresUrl(url: string): string {
  if (!URL.canParse(url)) throw new Error(`The database url is malformed. ${allowed}`);
  if (new URL(url).pathname.length < 2) throw new Error(`The database url names no database. ${allowed}`);
  return url;
}
