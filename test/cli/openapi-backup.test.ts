import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { servedByDefault } from '../support/served-by-default.ts';
import { expectCommandError, Machine, waitForExit } from './machine.ts';

interface Document {
  info: { title: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId?: string }>>;
}

const operationsIn = ({ paths }: Document): string[] =>
  Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ operationId }) => operationId ?? []));

describe('affiliate openapi', () => {
  const machine = new Machine();

  it('prints the served document, the same with and without --json', async () => {
    const [document, text] = await Promise.all([machine.json<Document>('openapi'), machine.text('openapi')]);
    expect(operationsIn(document)).to.have.members(servedByDefault);
    expect(document.servers[0]?.url).to.equal('/api/v2');
    expect(JSON.parse(text)).to.deep.equal(document);
  });

  it('has the address of the service once it is set, and follows the settings', async () => {
    await machine.text('migrate');
    await machine.store('store.url', 'https://shop.example/');
    await machine.store('service.url', 'https://partners.shop.example/');
    await machine.store('switches.get_keys', false);
    const document = await machine.json<Document>('openapi', '--edition', 'free');
    expect(document.servers[0]?.url).to.equal('https://partners.shop.example/api/v2');
    expect(operationsIn(document)).to.include('get_me').and.not.include('get_keys');
  });

  it('is amended by the site module', async () => {
    const file = path.join(machine.folder, 'site.mjs');
    writeFileSync(file, "export default { amendOpenapi: (document) => ({ ...document, info: { ...document.info, title: 'Ours' } }) };");
    const { out } = await machine.run(['openapi'], { SITE_MODULE: file });
    expect((JSON.parse(out) as Document).info.title).to.equal('Ours');
  });

  it('exits with 0 when standard output is closed', async () => {
    const child = machine.start(['openapi']);
    child.stdout.destroy();
    const { code, err } = await waitForExit(child);
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
  });
});

describe('affiliate backup', () => {
  const machine = new Machine();
  const file = path.join(machine.folder, 'copy.sqlite');

  it('copies the database to a new file, which is a working database', async () => {
    await machine.addUser('ada', 'customer');
    const document = await machine.json('backup', file);
    expect(document).to.include({ file, engine: 'sqlite' });
    const copy = new Machine({ DATABASE_URL: `sqlite:${file}` });
    expect((await copy.json<{ login: string }[]>('user', 'list')).map(({ login }) => login)).to.deep.equal(['ada']);
  });

  it('does not overwrite an existing file', async () => {
    expectCommandError(await machine.run(['backup', file]), `${file} exists already. A backup overwrites nothing: name a new file.`);
    const second = `${file}.2`;
    expect(await machine.text('backup', second)).to.match(/^The database was copied to .*copy\.sqlite\.2 \([\d,]+ bytes\)\.\n/);
    expect(existsSync(second)).to.equal(true);
  });
});
