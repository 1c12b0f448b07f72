import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { failureOf } from './gate.ts';
import { isSaved, savedUser } from './samples.ts';

describe('a backup', () => {
  forEachEngine((engine) => {
    const database = testFixture(() => engine.open());
    let folder: string;
    beforeEach(() => {
      folder = temporaryFolder('backup-');
    });

    it('overwrites no file', async () => {
      const file = path.join(folder, 'precious');
      writeFileSync(file, '');
      expect((await failureOf(database.backup(file))).message).to.match(/exists already/);
      expect(readFileSync(file, 'utf8')).to.equal('');
    });

    it('that fails leaves no file behind', async () => {
      const file = path.join(folder, 'missing', 'copy');
      await failureOf(database.backup(file));
      expect(existsSync(file)).to.equal(false);
    });

    if (engine.name === 'sqlite')
      it('is a whole database with all that was committed when it began, despite concurrent writes, and readable by its owner only', async () => {
        for (let count = 0; count < 20; count += 1) await savedUser(database, { login: `before-${count}` });
        const file = path.join(folder, 'copy.db');
        const meanwhile = Array.from({ length: 60 }, () => savedUser(database));
        await database.backup(file);
        await Promise.all(meanwhile);

        expect(statSync(file).mode & 0o777).to.equal(0o600);
        const observer = await engine.observe(`sqlite:${file}`);
        expect(await observer.query('pragma integrity_check')).to.deep.equal([{ integrity_check: 'ok' }]);
        const copy = await engine.open({ url: `sqlite:${file}` });
        expect(await copy.pendingMigrations()).to.deep.equal([]);
        for (let count = 0; count < 20; count += 1) expect(await isSaved(copy, `before-${count}`)).to.equal(true);
        await savedUser(copy);
      });

    if (engine.name === 'postgres')
      describe('by pg_dump', () => {
        const searchPath = process.env.PATH;
        afterEach(() => {
          process.env.PATH = searchPath;
        });

        /** The only program on the PATH besides the shell's own. */
        const install = (script: string): void => {
          const program = path.join(folder, 'pg_dump');
          writeFileSync(program, `#!/bin/sh\n${script}\n`);
          chmodSync(program, 0o755);
          process.env.PATH = folder;
        };

        it('uses the custom format, and keeps the password out of the process list', async () => {
          install(`echo "$PGPASSWORD" > ${folder}/password; for each in "$@"; do echo "$each"; done > ${folder}/copy`);
          await database.backup(path.join(folder, 'copy'));
          const options = readFileSync(path.join(folder, 'copy'), 'utf8').split('\n');
          expect(options).to.include.members(['--format=custom', `--file=${folder}/copy`]);
          expect(options.find((option) => option.startsWith('--dbname='))).to.equal(`--dbname=${database.url.replace(':password', '')}`);
          expect(readFileSync(path.join(folder, 'password'), 'utf8')).to.equal('password\n');
        });

        it('reports the message of pg_dump when it fails, and leaves no file behind', async () => {
          install('echo "server version mismatch" >&2; exit 1');
          const { message } = await failureOf(database.backup(path.join(folder, 'copy')));
          expect(message).to.equal('pg_dump could not create the backup: server version mismatch');
          expect(existsSync(path.join(folder, 'copy'))).to.equal(false);
        });

        it('names what to install when pg_dump is missing', async () => {
          process.env.PATH = folder;
          expect((await failureOf(database.backup(path.join(folder, 'copy')))).message).to.match(/need pg_dump.*Install/);
        });
      });
  });
});
