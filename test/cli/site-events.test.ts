import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Machine } from './machine.ts';

describe('a command that records events', () => {
  const siteOf = (machine: Machine, source: string): string => {
    const file = path.join(machine.folder, 'site.mjs');
    writeFileSync(file, source);
    return file;
  };
  const makeKey = (machine: Machine, site: string) =>
    machine.run(['key', 'create', '--user', 'ada', '--scopes', 'read', '--json'], { SITE_MODULE: site });

  it('calls the site module, and waits for it to finish', async () => {
    const machine = new Machine();
    await machine.addUser('ada', 'administrator');
    const book = path.join(machine.folder, 'book');
    const site = siteOf(
      machine,
      `import { appendFile } from 'node:fs/promises';
      import { setTimeout } from 'node:timers/promises';
      export default { async onEvent({ kind }) { await setTimeout(50); await appendFile(${JSON.stringify(book)}, kind + '\\n'); } };`,
    );
    const { code, err } = await makeKey(machine, site);
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(readFileSync(book, 'utf8')).to.equal('api_key_created\n');
    await machine.run(['key', 'list'], { SITE_MODULE: site });
    expect(readFileSync(book, 'utf8')).to.equal('api_key_created\n');
  });

  it('succeeds with a warning when the module does not load or fails', async () => {
    const machine = new Machine();
    await machine.addUser('ada', 'administrator');
    const broken = await makeKey(machine, siteOf(machine, 'export {'));
    expect(broken.code).to.equal(0);
    expect(broken.err).to.match(/^The site module is ignored: it receives no events and raises none\. .*could not be loaded/);
    const failing = await makeKey(machine, siteOf(machine, "export default { onEvent() { throw new Error('boom'); } };"));
    expect([failing.code, failing.err]).to.deep.equal([0, 'The site module: onEvent failed\n']);
  });
});
