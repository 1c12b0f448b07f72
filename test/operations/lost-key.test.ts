import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { checkDatabase } from '../../cli/doctor/database.ts';
import type { Database } from '../../db/database.ts';
import { masterKeyFile, openMasterKey } from '../../server/auth/master-key.ts';
import { ConfigurationError, readConfiguration } from '../../server/configuration.ts';
import { expectCommandError, Machine, mapConcurrently } from '../cli/machine.ts';
import { startService, waitUntil } from '../cli/running-service.ts';
import { failureOf } from '../db/gate.ts';
import { runAfterAllTests } from '../support/cleanup.ts';
import { forEachEngine } from '../support/engines.ts';
import { recordReferrals, webhooksTo } from '../support/load.ts';
import { makePostgres } from '../support/postgres.ts';
import { masterKey } from '../support/service.ts';
import { isSigned, receiver } from '../support/webhooks.ts';

const other = 'another master key, as long as it must be';

/** A machine that has a data folder and no key yet. */
const newDataDir = (): string => mkdtempSync(path.join(tmpdir(), 'affiliate-key-'));

forEachEngine((engine) => {
  describe('the master key of a database', () => {
    let database: Database;
    let dataDirs: string[];
    beforeEach(async () => {
      database = await engine.open();
      dataDirs = [newDataDir(), newDataDir()];
    });
    afterEach(() => {
      for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true });
    });

    const open = (dataDir = dataDirs[0] ?? '', given: string | null = null): Promise<string> =>
      openMasterKey(database, { dataDir, masterKey: given }, () => {});
    const refused = async (opening: Promise<unknown>): Promise<string> => {
      const error = await failureOf(opening);
      expect(error).to.be.instanceOf(ConfigurationError);
      return error.message;
    };

    it('is created for a database without encrypted data, and found again', async () => {
      const made = await open();
      expect(await open()).to.equal(made);
      expect(readFileSync(masterKeyFile(dataDirs[0] ?? ''), 'utf8').trim()).to.equal(made);
    });

    it('is not created again where it is missing: the error says what is missing, where, and how to continue', async () => {
      await open();
      const [dataDir = ''] = dataDirs;
      const file = masterKeyFile(dataDir);
      rmSync(file);
      expect(await refused(open())).to.equal(
        `The master key is missing: this database has secrets that only it can open, there is no ${file}, and MASTER_KEY is not set. ` +
          `Put the right one into ${file}, or set MASTER_KEY; if it is lost for good, affiliate secrets renew --key-is-lost goes on without it.`,
      );
      expect(existsSync(file)).to.equal(false);
    });

    it('is refused where secrets were encrypted with another key before there was a stored check', async () => {
      await webhooksTo(database, ['http://127.0.0.1:9/']);
      expect(await refused(open())).to.match(/^The master key is missing/);
      expect(existsSync(masterKeyFile(dataDirs[0] ?? ''))).to.equal(false);
      expect(await refused(open('', other))).to.match(/^This database belongs to another master key than MASTER_KEY: .* Set MASTER_KEY to/);
      expect(await open('', masterKey)).to.equal(masterKey);
      expect(await refused(open('', other))).to.match(/^This database belongs to another/);
    });

    it('is one for all nodes: of two that start with an empty database and a key each, the second is refused', async () => {
      await open(dataDirs[0], masterKey);
      expect(await refused(open(dataDirs[1], other))).to.match(/^This database belongs to another master key than MASTER_KEY/);
      expect(await refused(open(dataDirs[1]))).to.match(/^The master key is missing/);
      expect(existsSync(masterKeyFile(dataDirs[1] ?? ''))).to.equal(false);
    });

    it('is one for all nodes, also for those that create theirs concurrently: the slower one stores none', async () => {
      const opened = await Promise.allSettled(dataDirs.map((dataDir) => open(dataDir)));
      expect(opened.map(({ status }) => status).toSorted()).to.deep.equal(['fulfilled', 'rejected']);
      const kept = dataDirs.map((dataDir) => existsSync(masterKeyFile(dataDir)));
      expect(kept).to.deep.equal(opened.map(({ status }) => status === 'fulfilled'));
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

describe('a lost master key', () => {
  const detailsOf = (login: string): string =>
    `${JSON.stringify({ kind: 'payout_details', user: login, method: 'PayPal', method_type: 'paypal', details: { email: 'ann@shop.example' } })}\n`;

  it('stops the service, the worker and an import that would encrypt, and all of them continue after the secrets are renewed', async () => {
    const machine = new Machine();
    const file = masterKeyFile(machine.dataDir);
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
      ...['secrets', 'renew', '--key-is-lost'],
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
    await machine.inside((database) => webhooksTo(database, ['http://127.0.0.1:9/']));
    const { code, err } = await machine.run(['serve']);
    expect(code).to.equal(1);
    expect(err.match(/The master key is missing/g)).to.have.length(1);
    expect(existsSync(masterKeyFile(machine.dataDir))).to.equal(false);
  });
});
