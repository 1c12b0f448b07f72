import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { loadMasterKey, masterKeyFile } from '../../server/auth/master-key.ts';
import { ConfigurationError, readConfiguration } from '../../server/configuration.ts';
import { temporaryFolder } from '../support/postgres.ts';

describe('readConfiguration', () => {
  it('has the documented defaults', () => {
    const configuration = readConfiguration({});
    expect(configuration).to.include({ host: '127.0.0.1', port: 8080, environment: 'production', logLevel: 'info', workers: 1, tls: null });
    expect(configuration.databaseUrl).to.equal(`sqlite:${path.resolve('data/affiliate.sqlite')}`);
  });

  const invalid: [Record<string, string>, RegExp][] = [
    [{ PORT: '8o80' }, /^PORT is "8o80".*0 to 65535/],
    [{ PORT: '70000' }, /^PORT/],
    [{ PORT: '-1' }, /^PORT/],
    [{ ENVIRONMENT: 'prod' }, /^ENVIRONMENT is "prod".*production, development, local/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL/],
    [{ DATABASE_URL: 'mysql://localhost/x' }, /^DATABASE_URL must start with sqlite: or postgres/],
    [{ WORKERS: '2' }, /^WORKERS is 2, but several processes need PostgreSQL/],
    [{ WORKERS: '0' }, /^WORKERS/],
    [{ TLS_CERT: '/nowhere/cert.pem' }, /^TLS_KEY is missing/],
    [{ TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' }, /^TLS_CERT names the file \/nowhere\/cert.pem/],
    [{ TRUSTED_PROXIES: '10.0.0.0/99' }, /^TRUSTED_PROXIES: "10.0.0.0\/99"/],
    [{ MASTER_KEY: 'short' }, /^MASTER_KEY is too short/],
    [{ MASTER_KEY_FILE: '/nowhere/key' }, /^MASTER_KEY_FILE names the file/],
    [{ SMTP_URL: 'mail.example' }, /^SMTP_URL makes no sense/],
    [{ SMTP_URL: 'http://mail.example' }, /^SMTP_URL makes no sense. It must be smtp:\/\/host/],
    [{ SMTP_URL: 'smtp://' }, /^SMTP_URL/],
    [{ SMTP_URL: 'smtp://mail.example:99999' }, /^SMTP_URL/],
    [{ SMTP_URL: 'smtp://mail.example/inbox' }, /^SMTP_URL.*nothing after/],
    [{ SMTP_URL: 'smtp://mail.example?tls=no' }, /^SMTP_URL.*nothing after/],
    [{ SMTP_URL: 'smtp://shop@mail.example' }, /^SMTP_URL.*not both/],
    [{ SMTP_URL: 'smtp://shop:100%@mail.example' }, /^SMTP_URL.*%25/],
    [{ SMTP_URL_FILE: '/nowhere/smtp' }, /^SMTP_URL_FILE names the file/],
    [{ SITE_MODULE: '/nowhere/site.js' }, /^SITE_MODULE names the file/],
    [
      { METRICS_PORT: 'on' },
      /^METRICS_PORT is "on"\. It must be a port from 0 to 65535, or an address and a port such as 0\.0\.0\.0:9464\./,
    ],
    [{ METRICS_PORT: '70000' }, /^METRICS_PORT/],
    [{ METRICS_PORT: '::1:9464' }, /^METRICS_PORT/],
    [{ METRICS_PORT: '8080' }, /^METRICS_PORT and PORT are both 8080/],
  ];
  for (const [env, says] of invalid)
    it(`rejects ${JSON.stringify(env)} and names the variable`, () => {
      expect(() => readConfiguration(env)).to.throw(ConfigurationError, says);
    });

  it('never repeats a password in its errors', () => {
    for (const url of ['smtp://shop:hush@mail.example/x', 'http://shop:hush@mail.example', 'smtp://shop:hush%@mail.example'])
      expect(() => readConfiguration({ SMTP_URL: url })).to.throw(ConfigurationError, /^(?!.*hush)/);
  });

  it('serves metrics on 127.0.0.1 without an address, and none by default', () => {
    expect(readConfiguration({}).metrics).to.equal(null);
    expect(readConfiguration({ METRICS_PORT: '9464', HOST: '0.0.0.0' }).metrics).to.deep.equal({ host: '127.0.0.1', port: 9464 });
    expect(readConfiguration({ METRICS_PORT: '0.0.0.0:9464' }).metrics).to.deep.equal({ host: '0.0.0.0', port: 9464 });
    expect(readConfiguration({ METRICS_PORT: '[::1]:9464' }).metrics).to.deep.equal({ host: '::1', port: 9464 });
  });

  it('reads a secret from a file, but not from a file and a variable', () => {
    const file = path.join(temporaryFolder('configuration-'), 'url');
    writeFileSync(file, 'postgres://db.example/affiliates\n');
    expect(readConfiguration({ DATABASE_URL_FILE: file }).databaseUrl).to.equal('postgres://db.example/affiliates');
    expect(() => readConfiguration({ DATABASE_URL_FILE: file, DATABASE_URL: 'sqlite:x' })).to.throw('both set');
    writeFileSync(file, 'smtps://shop:secret@mail.example\n');
    expect(readConfiguration({ SMTP_URL_FILE: file }).smtp).to.deep.include({
      host: 'mail.example',
      login: { user: 'shop', pass: 'secret' },
    });
    expect(readConfiguration({}).smtp).to.equal(null);
  });
});

describe('the master key', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder('configuration-');
  });

  it('is created once, readable by its owner alone, with a notice', () => {
    const notices: string[] = [];
    const first = loadMasterKey({ masterKey: null, dataDir: folder }, (sentence) => notices.push(sentence));
    const second = loadMasterKey({ masterKey: null, dataDir: folder }, (sentence) => notices.push(sentence));
    expect(second)
      .to.equal(first)
      .and.to.match(/^[0-9a-f]{64}$/);
    expect(notices).to.have.length(1);
    expect(statSync(masterKeyFile({ dataDir: folder })).mode & 0o777).to.equal(0o600);
    expect(readFileSync(masterKeyFile({ dataDir: folder }), 'utf8').trim()).to.equal(first);
  });

  it('is not used when others can read it', () => {
    loadMasterKey({ masterKey: null, dataDir: folder }, () => {});
    chmodSync(masterKeyFile({ dataDir: folder }), 0o644);
    expect(() => loadMasterKey({ masterKey: null, dataDir: folder }, () => {})).to.throw(ConfigurationError, 'chmod 600');
  });

  it('of the configuration is used as it is, and none is created', () => {
    expect(loadMasterKey({ masterKey: 'k'.repeat(32), dataDir: folder }, () => {})).to.equal('k'.repeat(32));
    expect(() => statSync(masterKeyFile({ dataDir: folder }))).to.throw();
  });
});
