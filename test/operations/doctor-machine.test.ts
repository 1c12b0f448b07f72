import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { checkConfiguration } from '../../cli/commands/doctor.ts';
import type { Check } from '../../cli/doctor/check.ts';
import { checkServiceEnvironment, checkUser } from '../../cli/doctor/installation.ts';
import { checkDisk, checkNode, checkPrivacy, checkTimeZones, hintAtOtherDatabase } from '../../cli/doctor/machine.ts';
import { checkMailServer, checkMetricsPort, checkPort } from '../../cli/doctor/network.ts';
import { acquireServeLock } from '../../db/engine/sqlite/serve-lock.ts';
import { type Configuration, readConfiguration } from '../../server/configuration.ts';
import { MailServer } from '../support/mail-server.ts';
import { temporaryFolder } from '../support/postgres.ts';

const configured = (env: Record<string, string>): Configuration => readConfiguration({ ENVIRONMENT: 'local', ...env });

describe('affiliate doctor, about the machine', () => {
  it('reports every invalid variable, not only the first', () => {
    const found = checkConfiguration({
      PORT: 'http',
      WORKERS: '0',
      TLS_CERT: '/nowhere.pem',
      MASTER_KEY: 'short',
      SMTP_URL_FILE: '/nowhere/smtp',
      METRICS_PORT: 'on',
    });
    const names = (found as { message: string }[]).map(({ message }) => /^[A-Z_]+/.exec(message)?.[0]);
    expect(names.toSorted()).to.deep.equal(['MASTER_KEY', 'METRICS_PORT', 'PORT', 'SMTP_URL_FILE', 'TLS_KEY', 'WORKERS']);
    expect(checkConfiguration({ PORT: '1234' })).to.include({ port: 1234 });
  });

  it('reports a Node that is too old, or has no time zone data', () => {
    expect(checkNode('18.20.1').message).to.equal('Node 18.20.1 is too old. Install Node 20.19 or later.');
    expect(['20.18.9', '20.19.0', '22.1.0'].map((version) => checkNode(version).state)).to.deep.equal(['problem', 'ok', 'ok']);
    expect([checkTimeZones(), checkTimeZones(() => '12')].map(({ state }) => state)).to.deep.equal(['ok', 'problem']);
  });

  it('reports a disk that is full or almost full', () => {
    const states = [10, 500, 5000].map((megabytes) => checkDisk(configured({}), () => megabytes * 2 ** 20)[0]?.state);
    expect(states).to.deep.equal(['problem', 'warning', 'ok']);
  });

  it('reports a database file that others can read, and hints at a database in another place', () => {
    const folder = temporaryFolder('doctor-');
    const file = path.join(folder, 'affiliate.sqlite');
    writeFileSync(file, '', { mode: 0o600 });
    const here = configured({ DATA_DIR: folder });
    expect(checkPrivacy(here)).to.deep.equal([]);
    chmodSync(file, 0o644);
    expect(checkPrivacy(here)[0]?.message).to.equal(`${file} can be read by other users of this machine. Run: chmod 600 ${file}`);
    mkdirSync(path.join(folder, 'mistyped'));
    expect(hintAtOtherDatabase(here, [file])).to.equal('');
    expect(hintAtOtherDatabase(configured({ DATA_DIR: `${folder}/mistyped` }), [file])).to.equal(
      ` There is one at ${file}: is DATA_DIR correct?`,
    );
  });

  it('reports another user than the owner of the data, and files of another user in it', () => {
    const folder = temporaryFolder('doctor-');
    const here = configured({ DATA_DIR: folder });
    const { uid } = statSync(folder);
    const states = (checks: Check[]): string[] => checks.map(({ state }) => state);
    expect(states(checkUser(here))).to.deep.equal(['ok']);
    expect(checkUser(configured({ DATA_DIR: path.join(folder, 'none') }))).to.deep.equal([]);
    if (uid === 0) {
      const owner = Number(execFileSync('id', ['-u', 'daemon'], { encoding: 'utf8' }));
      chownSync(folder, owner, owner);
      expect(checkUser(here)[0]?.message).to.match(
        /^This is root, and .* belongs to daemon: the service cannot use what root creates there\. Run/,
      );
      writeFileSync(path.join(folder, 'affiliate.sqlite-serve-lock'), '');
      const [found] = checkUser(here, owner);
      expect(found).to.include({ state: 'problem', name: 'user' });
      expect(found?.message).to.match(/As root, run: chown daemon: \S*affiliate\.sqlite-serve-lock$/);
    }
  });

  it('reports variables that are not those of the installed service', () => {
    const file = path.join(temporaryFolder('doctor-'), 'environment');
    expect(checkServiceEnvironment({}, file)).to.deep.equal([]);
    writeFileSync(file, '# a note\nDATA_DIR="/var/lib/a"\nMASTER_KEY_FILE=/etc/a/key\nDATABASE_URL=postgres://u:hush@db/a\nPORT=1\n');
    const same = { DATA_DIR: '/var/lib/a', MASTER_KEY_FILE: '/etc/a/key', DATABASE_URL: 'postgres://u:hush@db/a', PORT: '2' };
    expect(checkServiceEnvironment(same, file)[0]?.state).to.equal('ok');
    const [found] = checkServiceEnvironment({ DATA_DIR: '/var/lib/a' }, file);
    expect(found).to.include({ state: 'warning', name: 'environment' });
    expect(found?.message)
      .to.match(
        /^The service of this machine has DATABASE_URL, MASTER_KEY_FILE=\/etc\/a\/key \(.*\); this command does not\. Run the installed/,
      )
      .and.not.include('hush');
    writeFileSync(file, '# a note\n\nDATA_DIR=/var/lib/a\nexport PORT=1\n');
    expect(checkServiceEnvironment({}, file)[0]).to.deep.include({
      state: 'problem',
      message: `${file}, line 4: write it as NAME=value. Correct it, and restart the service.`,
    });
    writeFileSync(file, 'TRUSTED_PROXY=127.0.0.1\nPGHOST=db\nNODE_OPTIONS=--inspect\nTZ=UTC\nLANG=C\nSHOP_TOKEN=x\n');
    expect(checkServiceEnvironment({}, file)).to.deep.include({
      state: 'warning',
      name: 'environment',
      message: `There is no variable TRUSTED_PROXY. Did you mean TRUSTED_PROXIES? Correct ${file}, and restart the service.`,
    });
  });

  describe('on the network', () => {
    let server: Server;
    let answer = '';
    const port = (): string => String((server.address() as AddressInfo).port);
    before(async () => {
      server = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    after(() => new Promise((resolve) => server.close(resolve)));

    it('distinguishes a port of another program from a free one and from the service’s own', async () => {
      answer = 'I am a printer.';
      const taken = await checkPort(configured({ PORT: port(), HOST: '0.0.0.0' }));
      expect(taken).to.include({ state: 'problem' });
      expect(taken.message).to.match(/^PORT \d+ on 0\.0\.0\.0 is taken by another program\./);
      expect((await checkMetricsPort(configured({ METRICS_PORT: port() })))[0]?.message).to.match(/^METRICS_PORT .* is taken by another/);
      answer = '{"status":"ok"}';
      const file = path.join(temporaryFolder('doctor-'), 'affiliate.sqlite');
      writeFileSync(file, '');
      const here = configured({ PORT: port(), DATABASE_URL: `sqlite:${file}` });
      expect((await checkPort(here)).message).to.match(/^A service of another installation answers on .*: none serves this database\./);
      const lock = await acquireServeLock(file);
      expect((await checkPort(here)).message).to.match(/^The service answers on/);
      if ('release' in lock) await lock.release();
      expect((await checkPort(here)).state).to.equal('problem');
      answer = 'process_cpu_seconds_total 1';
      expect(await checkMetricsPort(configured({ METRICS_PORT: port() }))).to.deep.equal([]);
      expect((await checkPort(configured({ PORT: '1' }))).message).to.equal('1 on 127.0.0.1 is free: the service is not running.');
    });

    it('reports a mail server that is not reachable or rejects the password, and never prints the password', async () => {
      const mails = await MailServer.start({ login: { user: 'shop', pass: 'right' } });
      const { port } = mails;
      const at = (login: string) => checkMailServer(configured({ SMTP_URL: `smtp://${login}127.0.0.1:${port}` }));
      expect((await at('shop:right@')).message).to.equal('The mail server 127.0.0.1 accepts mails.');
      const wrong = await at('shop:hush-hush@');
      expect(wrong.state).to.equal('problem');
      expect(wrong.message)
        .to.match(/cannot be used: .*Check SMTP_URL\.$/)
        .and.not.to.include('hush-hush');
      await mails.stop();
      expect((await at('')).message).to.match(/cannot be used: .*ECONNREFUSED/);
      const dataDir = temporaryFolder('doctor-');
      mkdirSync(path.join(dataDir, 'mail'));
      writeFileSync(path.join(dataDir, 'mail', '1.eml'), '');
      const unsent = await checkMailServer(readConfiguration({ DATA_DIR: dataDir }));
      expect([unsent.state, unsent.message]).to.deep.equal([
        'warning',
        `Mails are written to ${dataDir}/mail and not sent: 1 so far. People who apply cannot confirm their address, accepted affiliates get no ` +
          'link to set a password, and no password can be reset. Set SMTP_URL.',
      ]);
    });
  });
});
