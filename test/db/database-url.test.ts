import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { openDatabase } from '../../db/database.ts';
import { parseDatabaseUrl } from '../../db/database-url.ts';
import { failureOf } from './gate.ts';

describe('a database url', () => {
  it('names a file for SQLite', () => {
    expect(parseDatabaseUrl('sqlite:data/program.db')).to.deep.equal({ engine: 'sqlite', path: 'data/program.db' });
    expect(parseDatabaseUrl('sqlite:/var/lib/program.db')).to.deep.equal({ engine: 'sqlite', path: '/var/lib/program.db' });
    expect(parseDatabaseUrl('sqlite:///var/lib/program.db')).to.deep.equal({ engine: 'sqlite', path: '/var/lib/program.db' });
  });

  it('names a server and a database for PostgreSQL', () => {
    for (const url of ['postgres://ann:secret@localhost:5432/program', 'postgresql://localhost/program?sslmode=require'])
      expect(parseDatabaseUrl(url)).to.deep.equal({ engine: 'postgres', url });
  });

  const wrong = {
    'mysql://ann:secret@localhost/program': /cannot begin with "mysql:".*sqlite:<path.*postgres:\/\//,
    'data/program.db': /names no kind of database.*sqlite:<path.*postgres:\/\//,
    '': /names no kind of database/,
    'sqlite:': /names no file/,
    'sqlite::memory:': /in memory is not supported/,
    'sqlite://data/program.db': /without "\/\/"/,
    'postgres://ann:secret@localhost': /names no database/,
    'postgres://ann:secret@localhost:port/program': /malformed/,
  };
  for (const [url, sentence] of Object.entries(wrong))
    it(`is rejected with the reason and without the password: "${url}"`, async () => {
      const { message } = await failureOf(openDatabase({ url }));
      expect(message).to.match(sentence);
      expect(message).not.to.contain('secret');
    });

  it('of a server that does not answer fails with the reason and without the password', async () => {
    const { message } = await failureOf(openDatabase({ url: 'postgres://ann:secret@localhost:1/program' }));
    expect(message).to.match(/^Could not connect to PostgreSQL: .*ECONNREFUSED/);
    expect(message).not.to.contain('secret');
    expect((await failureOf(openDatabase({ url: `sqlite:${tmpdir()}` }))).message).to.match(
      /^Could not open the SQLite file .*SQLITE_CANTOPEN/,
    );
  });
});
