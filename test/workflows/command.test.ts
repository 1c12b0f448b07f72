import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { UsageError } from '../../scripts/shared/usage.ts';
import { openFixture, type WorkflowFixture } from '../../scripts/workflows/fixture.ts';
import { optionsFrom } from '../../scripts/workflows/options.ts';
import { compiledProgram } from '../cli/compiled-command.ts';
import { temporaryFolder } from '../support/postgres.ts';

describe('npm run stories with --server', () => {
  let fixture: WorkflowFixture;
  before(async () => {
    fixture = await openFixture(`sqlite:${temporaryFolder('own-service-')}/affiliate.sqlite`);
  });
  after(() => fixture.close());

  it('runs the workflows that need a token alone, and lists the inputs that others need', async () => {
    const service = ['--server', fixture.service.origin, '--token', fixture.inputs['admin_token'] ?? ''];
    const args = [...compiledProgram('scripts/workflows.ts'), 'key-life', 'webhook-life', ...service];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout)
      .to.include('The life of an API key\n')
      .and.include('  ✓ shut-out: The very next call with it is refused.\n')
      .and.include('The life of a webhook: skipped, it needs --input receiver_url=… --input applicant_to_decline=…\n')
      .and.match(/\n1 of 1 workflows passed\n$/)
      .and.not.match(/svc_[0-9a-f]{40}/);
  });
});

describe('the options of npm run stories', () => {
  const names = ['key-life', 'feed-followed'];
  const usageError = (...args: string[]): string => {
    try {
      optionsFrom(args, names);
    } catch (error) {
      if (error instanceof UsageError) return error.message;
    }
    return 'none';
  };

  it('select a temporary service without --server', () => {
    expect(optionsFrom(['key-life'], names)).to.deep.equal({ names: ['key-life'], target: null });
  });

  it('accept the URL of the service or of its API', () => {
    const credentials = ['--token', 'svc_1', '--input', 'applicant_to_accept=a=b'];
    const target = { server: 'https://shop.example/api/v2', inputs: { admin_token: 'svc_1', applicant_to_accept: 'a=b' } };
    for (const server of ['https://shop.example', 'https://shop.example/', 'https://shop.example/api/v2', 'https://shop.example/api/v2/'])
      expect(optionsFrom(['--server', server, ...credentials], names), server).to.deep.equal({ names: [], target });
  });

  it('are rejected with a message that says what to change', () => {
    expect(usageError('key-live')).to.equal('There is no workflow key-live. There are key-life, feed-followed.');
    expect(usageError('--token', 'svc_1')).to.match(/^--token and --input are for a service of your own: add --server/);
    expect(usageError('--server', 'https://shop.example')).to.match(/^--token is missing/);
    expect(usageError('--server', 'shop.example', '--token', 'svc_1')).to.match(
      /^--server is "shop\.example"\. It must be a URL as in https/,
    );
    expect(usageError('--server', 'https://shop.example', '--token', 'a', '--input', 'b')).to.equal(
      '--input is "b". Write it as name=value.',
    );
    expect(usageError('--sever', 'x')).to.match(/--sever/);
  });
});
