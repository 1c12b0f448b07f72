import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/postgres.ts';

/** Which drivers a process has loaded that opens this url. */
function driversFor(url: string): string[] {
  const script = `
    import { createRequire } from 'node:module';
    import { openDatabase } from './db/database.ts';
    const database = await openDatabase({ url: ${JSON.stringify(url)} });
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(JSON.stringify(['pg', 'sqlite3'].filter((name) => loaded.some((file) => file.includes('/node_modules/' + name + '/')))));
    await database.close();`;
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(run.status, run.stderr).to.equal(0);
  return JSON.parse(run.stdout);
}

describe('the drivers', () => {
  it('are loaded only where they are used: a start on SQLite does not load the one of PostgreSQL', () => {
    expect(driversFor(`sqlite:${path.join(temporaryFolder('drivers-'), 'program.db')}`)).to.deep.equal(['sqlite3']);
  });
});
