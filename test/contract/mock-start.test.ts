import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createMock } from '../../scripts/mock/app.ts';
import { listen, readPort } from '../../scripts/mock/listen.ts';
import { compiledProgram } from '../cli/compiled-command.ts';
import { smallContract } from '../support/contract.ts';

describe('createMock', () => {
  const content = (value: unknown) => ({ 'application/json': { schema: { type: 'integer' }, examples: { three: { value } } } });
  const start = (responses: object) =>
    createMock(smallContract({ '/a': { get: { operationId: 'get_a', responses } } })).then(
      () => 'started',
      (error: Error) => error.message,
    );

  it('refuses an example that breaks the contract, with the operation and the example', async () => {
    expect(await start({ 200: { description: 'A number.', content: content(3) } })).to.equal('started');
    const message = await start({ 200: { description: 'A number.', content: content('three') } });
    expect(message).to.contain('example "three" of get_a 200: the body must be integer');
  });

  it('refuses a response without an example, and a required header without one', async () => {
    expect(await start({ 200: { description: 'A number.', content: { 'application/json': { schema: {} } } } })).to.contain(
      'get_a 200: there is no example.',
    );
    const headers = { 'X-Count': { required: true, schema: { type: 'integer' } } };
    expect(await start({ 200: { description: 'A number.', headers, content: content(3) } })).to.contain(
      'the required header X-Count is missing',
    );
  });
});

describe('npm run mock', () => {
  function run(env: Record<string, string>, ...args: string[]) {
    const child = spawn(process.execPath, [...compiledProgram('scripts/mock.ts'), ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
    return { child, output, end: once(child, 'exit') as Promise<[number | null, string | null]> };
  }

  it('prints its URL, serves there, and exits with 0 on SIGTERM', async () => {
    const { child, output, end } = run({ PORT: '0', HOST: '127.0.0.1' });
    while (!output.out.includes('\n'))
      await Promise.race([once(child.stdout, 'data'), end.then(() => Promise.reject(new Error(output.err)))]);
    const [, url] = /^mock of Affiliate Program API 2\.\d+\.\d+ listening on (http:\/\/127\.0\.0\.1:\d+\/api\/v2)\n/.exec(output.out) ?? [];
    expect(url, output.out).to.be.a('string');
    const { paths } = (await (await fetch(`${url}/openapi`)).json()) as { paths: object };
    expect(paths, 'the whole contract, from which types are generated').to.include.keys('/me', '/coupons', '/payouts/{id}/status');
    child.kill('SIGTERM');
    expect(await end).to.deep.equal([0, null]);
  });

  it('prints its help below the name of an unknown option, instead of listening, and exits with 1', async () => {
    const { output, end } = run({}, '--port=4010');
    expect([...(await end), output.out]).to.deep.equal([1, null, '']);
    expect(output.err)
      .to.match(/^Unknown option '--port'\n\nnpm run mock\n/)
      .and.include('PORT=4010')
      .and.include('Prefer: code=404');
  });

  it('says in one sentence why it cannot listen', async () => {
    expect(() => readPort('http')).to.throw('PORT must be a number from 0 to 65535, not "http".');
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const message = await listen(createServer(), '127.0.0.1', port).catch((error: Error) => error.message);
    expect(message).to.equal(`Port ${port} on 127.0.0.1 is in use. Set PORT to another one, or to 0 for any free one.`);
    taken.close();
  });
});
