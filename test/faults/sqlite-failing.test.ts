import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { waitUntil } from '../cli/running-service.ts';
import { forEachEngine } from '../support/engines.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { coupon } from '../support/program.ts';
import { TestService } from '../support/service.ts';

// SQLite with a full disk, a file that another process locks, and a corrupt page, while the service runs. The full disk is a tmpfs, which
// needs root; without it that test is skipped.

const timeoutMs = 500;

/** A file system of two megabytes, or null where it cannot be mounted. */
function mountSmallDisk(): string | null {
  const folder = path.join(temporaryFolder('small-'), 'disk');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return null;
  }
}

function fillDisk(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (;;) writeSync(handle, Buffer.alloc(4096));
  } catch {
    closeSync(handle);
  }
}

const run = (handle: sqlite3.Database, sql: string): Promise<void> =>
  new Promise((resolve, reject) => handle.exec(sql, (error) => (error ? reject(error) : resolve())));

async function startService(databaseUrl: string) {
  const service = await TestService.start({ databaseUrl, timeoutMs });
  await service.withoutLimits();
  const admin = await service.client((await service.key(await service.user('boss', 'administrator'), ['read', 'write', 'manage'])).headers);
  let number = 0;
  const write = () => {
    number += 1;
    return admin.post('/keys', { json: { description: `key ${number} ${'x'.repeat(150)}` } });
  };
  const ready = async (): Promise<number> => (await fetch(`${service.origin}/readyz`)).status;
  return { service, admin, write, ready };
}

describe('a service on SQLite', function () {
  it('with a full disk answers 503 to writes and 200 to reads, is not ready, and recovers when there is space (skipped where no tmpfs can be mounted)', async function () {
    const disk = mountSmallDisk();
    if (!disk) return this.skip();
    try {
      const ballast = path.join(disk, 'ballast');
      const { service, admin, write, ready } = await startService(`sqlite:${disk}/affiliate.sqlite`);
      expect((await write()).status).to.equal(201);
      fillDisk(ballast);
      const stored: number[] = [];
      let response = await write();
      // SQLite still writes to the free space of its own files.
      for (; response.status === 201; response = await write()) stored.push(response.body.id);
      expect(await ready()).to.equal(503);
      expect([response.status, response.body.code, response.headers.get('Retry-After')]).to.deep.equal([503, 'svc_api_overloaded', '60']);
      expect((await admin.get('/keys')).status).to.equal(200);
      expect((await fetch(`${service.origin}/healthz`)).status).to.equal(200);
      rmSync(ballast);
      await waitUntil(20_000, async () => (await ready()) === 200);
      expect((await write()).status).to.equal(201);
      const { headers } = await admin.get('/keys?per_page=1');
      // The key of the caller, the first one, those before the disk was full, and the last one.
      expect(Number(headers.get('X-Svc-Total'))).to.equal(stored.length + 3);
      await service.stop();
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });

  forEachEngine((engine) => {
    if (engine.name !== 'sqlite') return;

    it('with a file that another process locks answers every write in time with 503, answers reads, and writes again after the lock', async () => {
      const databaseUrl = await engine.freshUrl();
      const { service, admin, write, ready } = await startService(databaseUrl);
      expect((await write()).status).to.equal(201);
      const other = new sqlite3.Database(databaseUrl.slice('sqlite:'.length));
      await run(other, 'begin immediate');
      const responses = await Promise.all(Array.from({ length: 12 }, write));
      expect(responses.map(({ status }) => status)).to.deep.equal(responses.map(() => 503));
      expect([(await admin.get('/keys')).status, await ready()]).to.deep.equal([200, 200]);
      await run(other, 'rollback');
      other.close();
      expect((await write()).status).to.equal(201);
      expect(Number((await admin.get('/keys')).headers.get('X-Svc-Total'))).to.equal(3);
      await service.stop();
    });

    it('with a corrupt page answers 500 without details where it reads that page, and is not ready from then on', async () => {
      const databaseUrl = await engine.freshUrl();
      const file = databaseUrl.slice('sqlite:'.length);
      const before = await startService(databaseUrl);
      const { id: userId } = await before.service.user('trail', 'affiliate');
      await coupon(before.service, 'TRAIL10', { userId });
      await before.service.stop();
      const observer = await engine.observe(databaseUrl);
      const [row] = await observer.query<{ rootpage: number }>("select rootpage from sqlite_master where name = 'coupons'");
      const handle = openSync(file, 'r+');
      writeSync(handle, Buffer.alloc(4096, 0xab), 0, 4096, (Number(row?.rootpage) - 1) * 4096);
      closeSync(handle);
      const service = await TestService.start({ databaseUrl });
      const user = await service.storage.read(({ users }) => users.byLoginOrEmail('boss'));
      if (!user) throw new Error('The user is missing.');
      const admin = await service.client((await service.key(user, ['read'])).headers);
      const response = await admin.get('/coupons');
      expect([response.status, response.body.code]).to.deep.equal([500, 'svc_api_db_error']);
      expect(JSON.stringify(response.body)).not.to.match(/SQLITE|malformed|select/i);
      expect((await fetch(`${service.origin}/readyz`)).status).to.equal(503);
      expect(service.log.join('')).to.contain('SQLITE_CORRUPT');
      // The check of the ledger fails too.
      const failure = await service.stop().then(
        () => null,
        (error: unknown) => String(error),
      );
      expect(failure).to.contain('SQLITE_CORRUPT');
    });
  });
});
