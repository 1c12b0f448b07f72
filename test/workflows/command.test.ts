import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { UsageError } from '../../scripts/shared/usage.ts';
import { openStage, type Stage } from '../../scripts/workflows/fixture.ts';
import { optionsFrom } from '../../scripts/workflows/options.ts';
import { temporaryFolder } from '../support/postgres.ts';

describe('npm run stories, for a service of your own', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(`sqlite:${temporaryFolder('own-service-')}/affiliate.sqlite`);
  });
  after(() => stage.close());

  it('tells what can be told with a token alone, and says what the other stories need', async () => {
    const service = ['--server', stage.service.origin, '--token', stage.inputs['admin_token'] ?? ''];
    const args = ['--import', 'tsx', 'scripts/workflows.ts', 'key-life', 'webhook-life', ...service];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout)
      .to.include('The life of an API key\n')
      .and.include('  ✓ shut-out: The very next call with it is refused.\n')
      .and.include('The life of a webhook: left out, it needs --input receiver_url=… --input applicant_to_decline=…\n')
      .and.match(/\n1 of 1 stories came true\n$/)
      .and.not.match(/svc_[0-9a-f]{40}/);
  });
});

describe('the options of npm run stories', () => {
  const known = ['key-life', 'feed-followed'];
  const refusal = (...args: string[]): string => {
    try {
      optionsFrom(args, known);
    } catch (error) {
      if (error instanceof UsageError) return error.message;
    }
    return 'none';
  };

  it('mean a service of its own where none is named', () => {
    expect(optionsFrom(['key-life'], known)).to.deep.equal({ names: ['key-life'], scene: null });
  });

  it('take a service by its address or by that of its API', () => {
    const given = ['--token', 'svc_1', '--input', 'applicant_to_accept=a=b'];
    const scene = { server: 'https://shop.example/api/v2', inputs: { admin_token: 'svc_1', applicant_to_accept: 'a=b' } };
    for (const server of ['https://shop.example', 'https://shop.example/', 'https://shop.example/api/v2', 'https://shop.example/api/v2/'])
      expect(optionsFrom(['--server', server, ...given], known), server).to.deep.equal({ names: [], scene });
  });

  it('are refused with a sentence that says what to do', () => {
    expect(refusal('key-live')).to.equal('There is no story key-live. There are key-life, feed-followed.');
    expect(refusal('--token', 'svc_1')).to.match(/^--token and --input are for a service of your own: say with --server/);
    expect(refusal('--server', 'https://shop.example')).to.match(/^--token is missing/);
    expect(refusal('--server', 'shop.example', '--token', 'svc_1')).to.match(
      /^--server is "shop\.example"\. It must be an address as in https/,
    );
    expect(refusal('--server', 'https://shop.example', '--token', 'a', '--input', 'b')).to.equal('--input is "b". Write it as name=value.');
    expect(refusal('--sever', 'x')).to.match(/--sever/);
  });
});
