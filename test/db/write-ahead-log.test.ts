import { expect } from 'chai';
import { enableWriteAheadLog } from '../../db/engine/sqlite/connection.ts';
import { failureOf } from './gate.ts';

const busy = (): Error => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

describe('switching SQLite to its write-ahead log', () => {
  it('waits while another process has locked the file', async () => {
    const answers: (() => unknown[])[] = [
      () => {
        throw busy();
      },
      () => [{ journal_mode: 'wal' }],
    ];
    await enableWriteAheadLog(async () => answers.shift()?.() ?? []);
    expect(answers).to.deep.equal([]);
  });

  it('does not retry after an error of another kind', async () => {
    let attempts = 0;
    const failing = enableWriteAheadLog(async () => {
      attempts += 1;
      throw new Error('disk I/O error');
    });
    expect((await failureOf(failing)).message).to.equal('disk I/O error');
    expect(attempts).to.equal(1);
  });

  it('fails where the file system cannot do it, instead of continuing without', async () => {
    const failing = enableWriteAheadLog(async () => [{ journal_mode: 'delete' }]);
    expect((await failureOf(failing)).message).to.match(/local disk/);
  });
});
