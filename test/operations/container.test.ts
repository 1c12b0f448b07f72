import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { sourceFolders } from '../../scripts/shared/sources.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { longestStopMs, stopTimeouts } from '../../server/orderly-stop.ts';
import { parseYaml } from '../support/yaml.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Step {
  instruction: string;
  rest: string;
}

/** The steps of the Dockerfile by stage. */
function stagesOf(text: string): Step[][] {
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n');
  const steps = lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).map((line) => /^([A-Z]+) (.+)$/.exec(line) ?? []);
  const stages: Step[][] = [];
  for (const [, instruction = '?', rest = ''] of steps) {
    if (instruction === 'FROM') stages.push([]);
    stages.at(-1)?.push({ instruction, rest });
  }
  return stages;
}

const [build = [], final = []] = stagesOf(read('Dockerfile'));
const all = (steps: readonly Step[], instruction: string): string[] =>
  steps.filter((step) => step.instruction === instruction).map(({ rest }) => rest);
const listed = (rest: string | undefined): string[] => JSON.parse(rest ?? '[]') as string[];
const ignored = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

describe('the Dockerfile', () => {
  it('copies what is in the tree, or what the build stage has made', () => {
    const sources = all(build, 'COPY').flatMap((rest) => rest.split(' ').slice(0, -1));
    expect(sources).to.include('package.json');
    expect(sources.filter((source) => !existsSync(path.join(root, source)))).to.deep.equal([]);
    expect(all(final, 'COPY')).to.have.length(3);
    for (const rest of all(final, 'COPY')) expect(rest).to.match(/^--from=build \/app\/(package\.json|node_modules|dist) \.\//);
  });

  it('is based on one image of Node 24, pinned by its digest, in both stages', () => {
    for (const stage of [build, final]) expect(all(stage, 'FROM')[0]).to.match(/^node:24-slim@sha256:[0-9a-f]{64}( AS build)?$/);
    expect(new Set([build, final].map((stage) => all(stage, 'FROM')[0]?.split(' ')[0])).size).to.equal(1);
  });

  it('runs scripts that package.json has, and starts what the build makes', () => {
    const { scripts, bin } = JSON.parse(read('package.json')) as { scripts: Record<string, string>; bin: Record<string, string> };
    for (const [, name = ''] of all(build, 'RUN')
      .join(' ')
      .matchAll(/npm run (\S+)/g))
      expect(scripts).to.have.property(name);
    const [start] = all(final, 'ENTRYPOINT').map(listed);
    expect(start?.at(-1)).to.equal(bin['affiliate']);
    expect(scripts['start']).to.equal([...(start ?? []), ...listed(all(final, 'CMD')[0])].join(' '));
  });

  it('runs as a user that owns nothing but the data, and stops by the signal that drains', () => {
    expect(all(final, 'USER')).to.deep.equal(['node']);
    expect(all(final, 'VOLUME')).to.deep.equal(['/data']);
    expect(all(final, 'ENV').join(' ')).to.include('DATA_DIR=/data');
    expect(all(final, 'STOPSIGNAL')).to.deep.equal(['SIGTERM']);
    const order = final.map(({ instruction }) => instruction);
    expect(order.indexOf('USER')).to.be.greaterThan(order.lastIndexOf('RUN'));
  });

  it('copies what the build needs, and neither data nor secrets nor another machine’s modules', () => {
    for (const name of ['.git', 'node_modules', 'dist', 'data', '*.key', '*.pem', '.env*', '*.sqlite*']) expect(ignored).to.include(name);
    const isIgnored = (place: string): boolean =>
      !ignored.includes(`!${place}`) && ignored.some((name) => `${place}/`.startsWith(`${name.replace('/*', '')}/`));
    const pages = ['web', 'docs/guides', 'docs/reference'];
    const needed = [...sourceFolders, ...pages, 'scripts/build.ts', 'scripts/build', 'scripts/shared', 'package.json', 'package-lock.json'];
    expect(needed.filter(isIgnored)).to.deep.equal([]);
  });

  it('has a health check that reports whether the service answers', async () => {
    const command = listed(/CMD (\[.+\])$/.exec(all(final, 'HEALTHCHECK')[0] ?? '')?.[1]);
    const server = createServer((request, response) => response.writeHead(request.url === '/healthz' ? 200 : 404).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { spawn } = await import('node:child_process');
    const check = spawn(process.execPath, command.slice(1), { env: { PORT: String(port) } });
    expect((await once(check, 'exit'))[0]).to.equal(0);
    server.close();
    expect(spawnSync(process.execPath, command.slice(1), { env: { PORT: '1' } }).status).to.equal(1);
  });
});

describe('compose.yaml', () => {
  interface Service {
    environment: Record<string, string>;
    volumes: string[];
    [key: string]: unknown;
  }
  const { services, volumes } = parseYaml(read('compose.yaml')) as { services: Record<string, Service>; volumes: Record<string, null> };
  const service = services['affiliate'] as Service;
  const postgres = services['postgres'] as Service;

  it('has volumes for the data, at the folders of the images', () => {
    expect(service.volumes).to.deep.equal([`affiliate-data:${all(final, 'VOLUME')[0]}`]);
    expect(postgres.volumes).to.deep.equal(['postgres-data:/var/lib/postgresql/data']);
    const mounted = Object.values(services).flatMap((each) => each.volumes.map((volume) => volume.split(':')[0]));
    expect(Object.keys(volumes)).to.have.members(mounted);
  });

  it('gives every secret as a file, and no service a value of one', () => {
    for (const [name, each] of Object.entries(services)) {
      const files = Object.entries(each.environment ?? {}).filter(([, value]) => value.startsWith('/run/secrets/'));
      for (const [variable, value] of files) {
        expect(variable, name).to.match(/_FILE$/);
        expect(each['secrets'], variable).to.include(path.basename(value));
      }
      expect(JSON.stringify(each.environment ?? {}), name).not.to.match(/PASSWORD(?!_FILE)|postgres:\/\//);
    }
    expect(Object.keys(service.environment)).to.include.members(['DATABASE_URL_FILE', 'MASTER_KEY_FILE', 'SMTP_URL_FILE', 'METRICS_PORT']);
    expect(ignored).to.include('secrets');
    expect(read('.gitignore')).to.match(/^secrets\/$/m);
  });

  it('drops all capabilities, allows no new privileges, and mounts root file systems read-only', () => {
    expect(Object.keys(services)).to.have.members(['affiliate', 'postgres', 'backup', 'caddy']);
    for (const [name, each] of Object.entries(services)) {
      expect({ ...(each['<<'] as object), ...each }, name).to.deep.include({
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        read_only: true,
      });
      if (name === 'affiliate') expect(each).not.to.have.property('cap_add');
    }
    expect(services['caddy']).to.deep.include({ profiles: ['https'] });
  });

  it('gives the service values that it accepts, and a port on this machine only', () => {
    const fallback = (name: string): string => /:-(.*)\}$/.exec(service.environment[name] ?? '')?.[1] ?? '';
    const env = { TRUSTED_PROXIES: fallback('TRUSTED_PROXIES'), METRICS_PORT: fallback('METRICS_PORT') };
    expect(readConfiguration(env)).to.deep.include({ metrics: { host: '0.0.0.0', port: 9464 } });
    expect(readConfiguration(env).proxies.isEmpty).to.equal(false);
    expect(service['ports']).to.deep.equal([`127.0.0.1:8080:${all(final, 'EXPOSE')[0]}`]);
    expect(service).to.include({ build: '.', init: true, stop_grace_period: '150s' });
    expect(service['depends_on']).to.deep.equal({ postgres: { condition: 'service_healthy' } });
  });
});

describe('the systemd unit', () => {
  const unit = read('docs/operations/affiliate-api.service');
  const command = read('docs/operations/affiliate');
  const valueOf = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

  it('starts the installed command, which does what npm start does, and allows it more time to end than it needs', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(valueOf('ExecStart')).to.equal('/usr/local/bin/affiliate serve');
    const [, options] = /^exec node (.*) "\$program" "\$@"$/m.exec(command) ?? [];
    expect(scripts['start']).to.equal(`node ${options} dist/cli/affiliate.js serve`);
    expect(longestStopMs).to.be.above(Object.values(stopTimeouts).reduce((sum, ms) => sum + ms) + 2 * 10_000);
    for (const seconds of [valueOf('TimeoutStopSec'), /--stop-timeout (\d+)/.exec(read('docs/guides/run-in-production.md'))?.[1]])
      expect(Number(seconds) * 1000).to.be.greaterThan(longestStopMs);
  });

  it('stores the data where the service may write, and has no variables that commands do not have', () => {
    expect(read('docs/operations/environment')).to.include(`\nDATA_DIR=/var/lib/${valueOf('StateDirectory')}\n`);
    expect(unit).not.to.match(/^(Environment|EnvironmentFile|LoadCredential)=/m);
    expect(unit)
      .to.match(/^ProtectSystem=strict$/m)
      .and.match(/^NoNewPrivileges=yes$/m)
      .and.match(/^User=(?!root)\w+$/m);
  });
});

describe('.github/workflows/ci.yml', () => {
  it('runs .ci/run on every version of Node that the README names', () => {
    const { jobs } = parseYaml(read('.github/workflows/ci.yml')) as {
      jobs: { test: { strategy: { matrix: { node: number[] } }; steps: { run?: string }[] } };
    };
    const [, oldest, ...others] = /(\d+)\.\d+\+, (\d+) or (\d+)/.exec(read('README.md')) ?? [];
    expect(jobs.test.strategy.matrix.node).to.deep.equal([oldest, ...others].map(Number));
    expect(jobs.test.steps.map(({ run }) => run)).to.include('.ci/run');
  });
});
