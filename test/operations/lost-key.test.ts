import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { EntitySchema } from 'typeorm';
import { checkDatabase } from '../../cli/doctor/database.ts';
import type { Database } from '../../db/database.ts';
import { entities } from '../../db/entities/index.ts';
import { splitKeys } from '../../domain/master-key/key-ring.ts';
import { encryptedKinds, reencrypt } from '../../domain/master-key/rotate.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import { masterKeyFile, openMasterKey } from '../../server/auth/master-key.ts';
import { ConfigurationError, readConfiguration } from '../../server/configuration.ts';
import { expectCommandError, Machine, mapConcurrently } from '../cli/machine.ts';
import { startService, waitUntil } from '../cli/running-service.ts';
import { failureOf } from '../db/gate.ts';
import { runAfterAllTests } from '../support/cleanup.ts';
import { mainlyOn } from '../support/engines.ts';
import { recordReferrals, webhooksTo } from '../support/load.ts';
import { makePostgres, temporaryFolder } from '../support/postgres.ts';
import { masterKey } from '../support/service.ts';
import { isSigned, receiver } from '../support/webhooks.ts';

const other = 'another master key, as long as it must be';

mainlyOn('sqlite', (engine) => {
  describe('the master key of a database', () => {
    let database: Database;
    let dataDirs: string[];
    beforeEach(async () => {
      database = await engine.open();
      // Two machines that have a data folder and no key yet.
      dataDirs = [temporaryFolder('affiliate-key-'), temporaryFolder('affiliate-key-')];
    });

    const open = async (dataDir = dataDirs[0] ?? '', given: string | null = null): Promise<string | undefined> =>
      (await openMasterKey(database, { dataDir, masterKey: given }, () => {})).keys().at(-1);
    const refused = async (opening: Promise<unknown>): Promise<string> => {
      const error = await failureOf(opening);
      expect(error).to.be.instanceOf(ConfigurationError);
      return error.message;
    };

    it('is created for a database without encrypted data, and found again', async () => {
      const made = await open();
      expect(await open()).to.equal(made);
      expect(readFileSync(masterKeyFile({ dataDir: dataDirs[0] ?? '' }), 'utf8').trim()).to.equal(made);
    });

    it('is not created again where it is missing: the error says what is missing, where, and how to continue', async () => {
      await open();
      const [dataDir = ''] = dataDirs;
      const file = masterKeyFile({ dataDir });
      rmSync(file);
      expect(await refused(open())).to.equal(
        `The master key is missing: this database has secrets that only it can open, there is no ${file}, and MASTER_KEY is not set. ` +
          `Put the right one into ${file}, or set MASTER_KEY; if it is lost for good, affiliate secrets renew --key-is-lost goes on without it.`,
      );
      expect(existsSync(file)).to.equal(false);
    });

    it('is one for all nodes: of two that start with an empty database and a key each, the second is refused', async () => {
      await open(dataDirs[0], masterKey);
      expect(await refused(open(dataDirs[1], other))).to.match(/^This database belongs to another master key than MASTER_KEY/);
      expect(await refused(open(dataDirs[1]))).to.match(/^The master key is missing/);
      expect(existsSync(masterKeyFile({ dataDir: dataDirs[1] ?? '' }))).to.equal(false);
    });

    it('is one for all nodes, also for those that create theirs concurrently: the slower one stores none', async () => {
      const opened = await Promise.allSettled(dataDirs.map((dataDir) => open(dataDir)));
      expect(opened.map(({ status }) => status).toSorted()).to.deep.equal(['fulfilled', 'rejected']);
      const kept = dataDirs.map((dataDir) => existsSync(masterKeyFile({ dataDir })));
      expect(kept).to.deep.equal(opened.map(({ status }) => status === 'fulfilled'));
    });

    it('is rotated: the newest key alone decrypts everything, the former one nothing, and visitors have the same hashes', async () => {
      const [dataDir = ''] = dataDirs;
      const configuration = { dataDir, masterKey: null };
      const ring = await openMasterKey(database, configuration, () => {});
      const [former = ''] = ring.keys();
      const signing = createSecrets('webhook_secret', ring, systemRandom);
      await webhooksTo(database, ['http://127.0.0.1:9/'], Date.now(), ring);
      const sealed = (): Promise<string> =>
        database.read(async (db) => (await db.masterKeys.encrypted('webhook_secret', null, 1))[0]?.text ?? '');
      const secret = signing.decrypt(await sealed(), 1);
      const ofStore = createSecrets('store_secret', ring, systemRandom);
      const connection = await database.write((transaction) =>
        connectStore(transaction, { platform: 'shopify', name: '', secret }, { now: 1, random: systemRandom, secrets: ofStore }),
      );

      writeFileSync(masterKeyFile({ dataDir }), `# the new one\n${other}\n`, { flag: 'a' });
      expect(ring.keys()).to.deep.equal([former, other]);
      expect(await database.write((transaction) => reencrypt(transaction, ring.keys()))).to.equal(4);
      expect(await database.write((transaction) => reencrypt(transaction, ring.keys()))).to.equal(0);
      expect(signing.decrypt(await sealed(), 1)).to.equal(secret);
      expect(createSecrets('webhook_secret', other, systemRandom).decrypt(await sealed(), 1)).to.equal(secret);
      const reread = await database.read(({ connections }) => connections.byId(connection.id));
      expect(createSecrets('store_secret', other, systemRandom).decrypt(reread?.encryptedSecret ?? '', connection.id)).to.equal(secret);
      expect(await refused(open('', former))).to.match(/^This database belongs to another/);
      const reopened = await openMasterKey(database, { dataDir, masterKey: other }, () => {});
      expect(reopened.visitorKey).to.deep.equal(ring.visitorKey);

      const foreign = createSecrets('webhook_secret', 'x'.repeat(32), systemRandom).encrypt(secret, 1);
      await database.write(({ masterKeys }) => masterKeys.replaceEncrypted('webhook_secret', 1, foreign));
      const failed = await failureOf(database.write((transaction) => reencrypt(transaction, [other, 'y'.repeat(32)])));
      expect(failed.message).to.match(
        /^A stored secret \(webhook_secret \d+\) was encrypted with another master key\. Nothing was changed\.$/,
      );
      expect(await open('', other)).to.equal(other);
    });

    it('that does not match is reported by doctor with the sentence of the service', async () => {
      const url = await engine.freshUrl();
      const [dataDir = ''] = dataDirs;
      const configuration = readConfiguration({ DATABASE_URL: url, DATA_DIR: dataDir, MASTER_KEY: other });
      const told = async (): Promise<string[]> =>
        (await checkDatabase(configuration, Date.now()))
          .filter(({ name }) => name === 'master key')
          .map(({ state, message }) => `${state}: ${message}`);
      const used = await engine.open({ url });
      expect(await told()).to.deep.equal([]);
      await openMasterKey(used, { dataDir, masterKey }, () => {});
      const said = await refused(openMasterKey(used, configuration, () => {}));
      expect(await told()).to.deep.equal([`problem: ${said}`]);
      const misplaced = await checkDatabase(configuration, Date.now(), true);
      expect(misplaced.find(({ name }) => name === 'master key')?.message)
        .to.match(/First correct the user or the folder/)
        .and.not.match(/renew/);
      Object.assign(configuration, { masterKey });
      expect(await told()).to.deep.equal(['ok: The database belongs to it.']);
    });
  });
});

describe('every column that is encrypted with the master key', () => {
  it('is encrypted again by a rotation', () => {
    const columns = (entities as EntitySchema[]).flatMap(({ options }) =>
      Object.values(options.columns).map((column) => `${options.name}.${column?.name}`),
    );
    expect(columns.filter((name) => /encrypted|sealed/.test(name)).toSorted()).to.deep.equal(
      // The proof, and one for each of `encryptedKinds`.
      [
        'key_proof.sealed',
        'payout_batches.encrypted_file',
        'payout_details.encrypted_details',
        'second_factors.encrypted_secret',
        'store_connections.encrypted_api_secret',
        'store_connections.encrypted_secret',
        'stored_keys.sealed',
        'webhooks.encrypted_secret',
      ],
    );
    expect(encryptedKinds.toSorted()).to.deep.equal([
      'payout_details',
      'payout_file',
      'sealing_key',
      'second_factor',
      'store_api_secret',
      'store_secret',
      'visitor_key',
      'webhook_secret',
    ]);
  });
});

describe('affiliate secrets rotate', () => {
  it('replaces the master key while the service runs: it signs, encrypts and credits as before, also after a restart without the old key', async () => {
    const machine = new Machine({ ENVIRONMENT: 'local' });
    const file = masterKeyFile(machine);
    const imported = async (...records: object[]): Promise<Record<string, unknown>> => {
      const { out, err } = await machine.run(['import', '-', '--json'], {
        input: records.map((record) => JSON.stringify(record)).join('\n'),
      });
      expect(err).to.equal('');
      return JSON.parse(out);
    };
    await machine.addUser('ann', 'affiliate');
    await machine.addUser('boss', 'administrator');
    const { token } = await machine.json('key', 'create', '--user', 'boss', '--scopes', 'read,write,manage');
    const running = await startService(machine);
    const books = await receiver();
    runAfterAllTests(() => books.close());
    const subscribe = async (name: string): Promise<Record<string, unknown>> => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ url: books.url, events: ['*'], name });
      const response = await fetch(`${running.url}/api/v2/webhooks`, { method: 'POST', headers, body });
      expect(response.status).to.equal(201);
      return response.json() as Promise<Record<string, unknown>>;
    };
    const before = await subscribe('before');
    const day = '2026-11-02T12:00:00';
    await imported(
      { kind: 'coupon', code: 'ANN10', user: 'ann' },
      { kind: 'payout_details', user: 'ann', method: 'PayPal', method_type: 'paypal', details: { email: 'ann@shop.example' } },
      { kind: 'click', coupon_code: 'ANN10', visitor: 'a visitor', date: day },
    );

    const { head } = await machine.json<{ head: string }>('ledger', 'head');
    const rotated = await machine.json('secrets', 'rotate');
    expect(rotated).to.deep.equal({ file, secrets: 4 });
    const after = await subscribe('after');
    await imported({ kind: 'order', order_id: 1, visitor: 'a visitor', date: '2026-11-03T12:00:00', status: 'completed', total: 100 });
    const isSignedBy = (secret: unknown) => books.received.some((delivery) => isSigned(delivery, String(secret), Date.now()));
    await waitUntil(20_000, async () => isSignedBy(before['secret']) && isSignedBy(after['secret']));
    running.child.kill('SIGTERM');
    expect((await running.ended).code).to.equal(0);

    const [, newest = ''] = splitKeys(readFileSync(file, 'utf8'));
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    writeFileSync(file, `${newest}\n`);
    expect(await machine.text('doctor'))
      .to.match(/ok +webhooks +Their signing secrets can be decrypted/)
      .and.match(/ok +secrets +/)
      .and.not.match(/^problem/m);
    expect(await machine.json('ledger', 'verify', '--against', head)).to.include({ ok: true });
    expect(await machine.text('report')).to.match(/10\.00/);
    expectCommandError(
      await machine.run(['secrets', 'rotate'], { MASTER_KEY: newest }),
      /^MASTER_KEY is a variable, .* set MASTER_KEY_FILE/,
    );
  });
});

describe('a lost master key', () => {
  const detailsOf = (login: string): string =>
    `${JSON.stringify({ kind: 'payout_details', user: login, method: 'PayPal', method_type: 'paypal', details: { email: 'ann@shop.example' } })}\n`;

  it('stops the service, the worker and an import that would encrypt, and all of them continue after the secrets are renewed', async () => {
    const machine = new Machine();
    const file = masterKeyFile(machine);
    const books = await receiver();
    runAfterAllTests(() => books.close());
    await machine.addUser('ann', 'affiliate');
    await machine.inside((database) => webhooksTo(database, [books.url]));
    expect((await machine.run(['import', '-'], { MASTER_KEY: masterKey, input: detailsOf('ann') })).err).to.equal('');

    const needy = ['serve', 'worker', 'import -'];
    const variables = { PORT: '0', LOG_LEVEL: 'silent', input: detailsOf('boss') };
    for (const refusal of (await mapConcurrently(needy, (args) => machine.run(args.split(' '), variables))).values())
      expectCommandError(refusal, /^The master key is missing: .*secrets renew/);
    const coupon = JSON.stringify({ kind: 'coupon', code: 'NEEDS-NO-KEY' });
    expect((await machine.run(['import', '-'], { input: `${coupon}\n` })).err).to.equal('');
    expect(existsSync(file)).to.equal(false);

    expectCommandError(await machine.run(['secrets', 'renew']), /--key-is-lost/);
    const { webhooks, payout_details_of } = await machine.json<{ webhooks: { id: number; secret: string }[]; payout_details_of: number[] }>(
      'secrets',
      'renew',
      '--key-is-lost',
    );
    expect(payout_details_of).to.have.length(1);
    const { child, ended } = await startService(machine);
    await machine.inside((database) => recordReferrals(database, [1]));
    await waitUntil(20_000, async () => books.received.some((delivery) => isSigned(delivery, webhooks[0]?.secret ?? '', Date.now())));
    child.kill('SIGTERM');
    expect((await ended).code).to.equal(0);
  });

  it('stops all processes of a service that has several, with its sentence', async () => {
    const machine = new Machine({ DATABASE_URL: await makePostgres(), WORKERS: '2', PORT: '0', LOG_LEVEL: 'silent' });
    await machine.text('migrate');
    await machine.inside((database) => openMasterKey(database, { dataDir: '', masterKey }, () => {}));
    const { code, err } = await machine.run(['serve']);
    expect(code).to.equal(1);
    expect(err.match(/The master key is missing/g)).to.have.length(1);
    expect(existsSync(masterKeyFile(machine))).to.equal(false);
  });
});
