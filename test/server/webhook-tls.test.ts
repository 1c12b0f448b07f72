import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import type { TlsOptions } from 'node:tls';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createWebhookSender } from '../../server/webhooks/send.ts';
import { certificate } from '../cli/certificate.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { localRules, messageTo, receiver, says } from './receivers.ts';

const day = 24 * 3600 * 1000;
const now = Date.now();
const valid = certificate({ from: now - day, to: now + day });
const noContent = says('HTTP/1.1 204 No Content\r\n\r\n');

async function sentOverTls(served: TlsOptions & { cert: string }, { trusted = [served.cert], host = 'localhost' } = {}) {
  const hook = await receiver(noContent, served);
  const { send } = createWebhookSender({ authorities: trusted, resolve: async () => ['127.0.0.1'], timeoutMs: 4000 });
  const outcome = await send(messageTo(`https://${host}:${hook.port}/`), localRules);
  await hook.idle();
  await hook.close();
  expect(hook.received === '', 'nothing is sent unless the receiver is who it should be').to.equal(outcome.kind === 'failed');
  return outcome;
}

describe('a delivery over TLS', () => {
  it('arrives where the certificate is trusted and names the host', async () => {
    expect(await sentOverTls(valid)).to.include({ kind: 'answered', code: 204 });
  });

  it('fails where the certificate is self-signed', async () => {
    const outcome = await sentOverTls(valid, { trusted: [certificate({ from: now - day, to: now + day }).cert] });
    expect(outcome).to.include({
      failure: 'tls',
      message: 'The certificate of the receiver is self-signed. (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
  });

  it('fails where the certificate has expired, or is not valid yet', async () => {
    const expired = await sentOverTls(certificate({ from: now - 2 * day, to: now - day }));
    expect(expired).to.include({ failure: 'tls', message: 'The certificate of the receiver has expired. (CERT_HAS_EXPIRED)' });
    const early = await sentOverTls(certificate({ from: now + day, to: now + 2 * day }));
    expect(early).to.include({ failure: 'tls', message: 'The certificate of the receiver is not valid yet. (CERT_NOT_YET_VALID)' });
  });

  it('fails where the certificate is for another host, without disclosing which', async () => {
    for (const host of ['hooks.example', '127.0.0.1']) {
      const outcome = await sentOverTls(valid, { host });
      expect(outcome).to.include({
        failure: 'tls',
        message: 'The certificate of the receiver is for another host. (ERR_TLS_CERT_ALTNAME_INVALID)',
      });
    }
  });

  it('names the host in the handshake, but no address, and offers HTTP/1.1', async () => {
    const told: unknown[] = [];
    const ALPNCallback = ({ servername, protocols }: { servername: string; protocols: string[] }) => {
      told.push({ servername: servername || null, protocols });
      return protocols[0];
    };
    for (const host of ['localhost', '127.0.0.1']) await sentOverTls({ ...valid, ALPNCallback }, { host });
    expect(told).to.deep.equal([
      { servername: 'localhost', protocols: ['http/1.1'] },
      { servername: null, protocols: ['http/1.1'] },
    ]);
  });

  it('ends at the timeout, also after the handshake', async () => {
    const hook = await receiver((socket) => socket.resume(), valid);
    const { send } = createWebhookSender({ authorities: [valid.cert], timeoutMs: 300 });
    expect(await send(messageTo(`https://localhost:${hook.port}/`), localRules)).to.include({ failure: 'timeout' });
    await hook.idle();
    await hook.close();
  });

  it('fails where the receiver speaks no TLS, is silent, or closes in the handshake', async () => {
    const { send } = createWebhookSender({ timeoutMs: 500 });
    const endings = [
      { behave: says('HTTP/1.1 400 Bad Request\r\n\r\n'), failure: 'tls' },
      { behave: (socket: Socket) => void socket.once('data', () => socket.destroy()), failure: 'tls' },
      { behave: () => {}, failure: 'timeout' },
    ];
    for (const { behave, failure } of endings) {
      const hook = await receiver(behave);
      expect(await send(messageTo(`https://localhost:${hook.port}/`), localRules)).to.include({ failure });
      await hook.idle();
      await hook.close();
    }
  });

  it('fails where the certificate is self-signed even if a variable disables certificate checks', async () => {
    expect(await endingInProcessWith(() => ({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }))).to.equal('tls');
  });

  it('arrives with an authority that NODE_EXTRA_CA_CERTS adds', async () => {
    expect(await endingInProcessWith((file) => ({ NODE_EXTRA_CA_CERTS: file }))).to.equal('204');
  });
});

/** What becomes of a delivery to a self-signed receiver, in a process that was started with these variables. */
async function endingInProcessWith(variables: (certificateFile: string) => Record<string, string>): Promise<string> {
  const file = path.join(temporaryFolder('affiliate-authority-'), 'authority.pem');
  writeFileSync(file, valid.cert);
  const hook = await receiver(noContent, valid);
  const sending = `
    const { createWebhookSender } = await import('./server/webhooks/send.ts');
    const message = { url: 'https://localhost:${hook.port}/', headers: {}, body: '{}' };
    const outcome = await createWebhookSender().send(message, { allowPlainHttpAndLoopback: true, ports: [] });
    process.stdout.write(String(outcome.code ?? outcome.failure));`;
  const env = { ...process.env, ...variables(file) };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', '--input-type=module', '-e', sending], { env });
  await hook.close();
  return stdout;
}
