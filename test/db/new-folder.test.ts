import { statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../db/database.ts';
import { temporaryFolder } from '../support/postgres.ts';

describe('a new SQLite file', () => {
  it('is readable by its owner only, also where its folder has to be created', async () => {
    const file = path.join(temporaryFolder('new-folder-'), 'data', 'of', 'the', 'store', 'affiliate.sqlite');
    const database = await openDatabase({ url: `sqlite:${file}` });
    await database.migrate();
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    await database.close();
  });
});
