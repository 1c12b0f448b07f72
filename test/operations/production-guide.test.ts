import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { listCompletions } from '../../cli/commands/completion.ts';
import { createProgram } from '../../cli/program.ts';
import { listBlocks } from '../guides/pages.ts';
import { inProof } from '../support/in-proof.ts';
import { parseYaml } from '../support/yaml.ts';
import { ScratchRoot } from './scratch-root.ts';

const page = 'docs/guides/run-in-production.md';
const blocks = listBlocks(page).filter(({ language }) => language === 'sh');
const commands = blocks.map(({ line, source }) => `echo '--- ${page}:${line}'\n${source}`).join('\n');

/** PROVE_GUIDES=all: installs, starts and restores the service as a reader does. */
const { describeInProof } = inProof('PROVE_GUIDES');

describeInProof('docs/guides/run-in-production.md, followed under a scratch root (skipped where root cannot become another user),', () => {
  let root: ScratchRoot;
  let output: string;
  before(async function () {
    this.timeout(600_000);
    const created = await ScratchRoot.create();
    // Root without runuser, or with a Node that others may not run.
    if (created === null) return this.skip();
    root = created;
    output = root.run(commands);
  });

  it('installs, starts, backs up, restores and upgrades a service, and doctor finds no problem at any step', () => {
    expect(output.match(/^--- /gm)).to.have.length(blocks.length);
    expect(output.match(/^ok +database +SQLite answers\.$/gm)).to.have.length(3);
    expect(output)
      .to.match(/copy\.sqlite is the database now\. Its ledger is sound\.$/m)
      .and.match(/^The copy was restored for a check: its ledger is sound\.$/m)
      .and.match(/^The database belongs to the last key in .*master-key now\./m)
      .and.match(/^ok +port +The service answers /m)
      .and.match(/^ok +master key +The database belongs to it\.$/m)
      .and.not.match(/^problem /m);
  });

  it('leaves data that belongs to the user of the service, which no other user can read', () => {
    const owner = statSync(root.path('var/lib/affiliate-api')).uid;
    for (const file of [
      'var/lib/affiliate-api/affiliate.sqlite',
      'var/backups/affiliate-api/copy.sqlite',
      'etc/affiliate-api/master-key',
    ]) {
      const { uid, mode } = statSync(root.path(file));
      expect([uid, mode & 0o777], file).to.deep.equal([owner, 0o600]);
    }
  });

  it('leaves a checkout in which npx affiliate works, without the packages that compile it', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(root.run('test ! -e node_modules/tsx && npx affiliate --version').trim().split('\n').at(-1)).to.equal(version);
  });

  it('installs a command that the user of the service can run as well, with the variables of the service and not of the shell', () => {
    root.run(`printf '# a note\\n\\nLOG_LEVEL="warn"\\nSMTP_URL=smtp://u:p%%24$(x)@127.0.0.1:1' >>/etc/affiliate-api/environment`);
    // Root logs in to a folder that no other user may enter.
    expect(root.run('mkdir private && cd private && chmod 0 . && affiliate user list --json')).to.include('"login":');
    const doctor = 'export DATA_DIR=/nowhere MASTER_KEY=short PORT=http\naffiliate doctor --json 2>&- || true';
    const { checks } = JSON.parse(root.run(doctor, 'service')) as { checks: { name: string; message: string }[] };
    expect(checks.find(({ name }) => name === 'configuration')?.message).to.match(/are valid/);
    expect(checks.find(({ name }) => name === 'mail')?.message).to.match(/127\.0\.0\.1/);
    const read = [...readFileSync('server/configuration.ts', 'utf8').matchAll(/(?:env\['|readSecret\(env, '|\(env, ')([A-Z_]+)'/g)];
    const wrapper = readFileSync('docs/operations/affiliate', 'utf8');
    for (const [, name = ''] of read) expect(wrapper, name).to.match(new RegExp(`^unset .*\\b${name}\\b`, 'm'));
  });

  it('installs units that systemd accepts (where systemd-analyze is installed)', function () {
    const units = ['affiliate-api.service', 'affiliate-backup.service', 'affiliate-backup.timer'];
    const files = units.map((name) => root.path(`etc/systemd/system/${name}`));
    const { status, error, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
    if (error) return this.skip();
    return expect([status, stderr]).to.deep.equal([0, '']);
  });
});

describe(page, () => {
  it('names containers, images and commands that exist', () => {
    const lines = blocks
      .flatMap(({ source }) => source.replaceAll(/\\\n\s*/g, '').split('\n'))
      .filter((line) => line.startsWith('docker '));
    const [, image] = /^docker build -t (\S+) \.$/m.exec(lines.join('\n')) ?? [];
    const [, name] = new RegExp(`^docker run .*--name (\\S+) .* ${image}$`, 'm').exec(lines.join('\n')) ?? [];
    const services = Object.keys((parseYaml(readFileSync('compose.yaml', 'utf8')) as { services: object }).services);
    const routes = listCompletions(createProgram()).map(({ route }) => route);
    const executed = lines.flatMap((line) => {
      const [, compose, container = '', program = '', words = ''] = /^docker (compose )?exec (?:-T )?(\S+) (\S+) (.*)$/.exec(line) ?? [];
      return container === '' ? [] : [{ isThere: compose ? services.includes(container) : container === name, program, words }];
    });
    const alone = lines.flatMap((line) => {
      const [, words] = new RegExp(`^docker run --rm .* ${image} (.*)$`).exec(line) ?? [];
      return words === undefined ? [] : [{ isThere: true, program: 'affiliate', words }];
    });
    expect([executed.length, alone.length]).to.deep.equal([7, 1]);
    for (const { isThere, program, words } of [...executed, ...alone]) {
      expect(isThere, words).to.equal(true);
      if (program === 'affiliate')
        expect(
          routes.some((route) => words === route || words.startsWith(`${route} `)),
          words,
        ).to.equal(true);
    }
  });
});
