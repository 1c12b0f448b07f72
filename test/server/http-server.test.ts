import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { checkServedCertificate } from '../../cli/doctor/network.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { type ListeningServer, type ListenOptions, listen } from '../../server/http/http-server.ts';
import type { RequestHandler } from '../../server/limits/concurrency-limiter.ts';
import { certificate } from '../cli/certificate.ts';
import { waitUntil } from '../cli/running-service.ts';

const day = 86_400_000;
const handle: RequestHandler = async (_request, response) => void response.end('served');

describe('the HTTP server', () => {
  let listening: ListeningServer;
  afterEach(() => listening.drain());

  it('keeps an idle connection for longer than proxies do, which would otherwise send a request into a closing one', async () => {
    listening = await listen(handle, readConfiguration({ PORT: '0' }));
    const response = await fetch(listening.url);
    await response.text();
    expect(response.headers.get('keep-alive')).to.equal('timeout=130');
  });

  describe('with a certificate', () => {
    let folder: string;
    const file = (name: string): string => path.join(folder, name);
    const renew = (parts = certificate({ from: Date.now() - day, to: Date.now() + day })) => {
      for (const [name, text] of Object.entries(parts)) writeFileSync(file(name), text);
      return parts;
    };
    const tls = () => ({ TLS_CERT: file('cert'), TLS_KEY: file('key') });
    const start = async (options: ListenOptions): Promise<void> => {
      listening = await listen(handle, readConfiguration({ PORT: '0', ...tls() }), { certificateCheckMs: 20, ...options });
    };
    /** As clients see it: each connection is a new one. */
    const isServed = ({ cert }: { cert: string }): Promise<boolean> =>
      new Promise((resolve, reject) => {
        const sent = request(listening.url, { rejectUnauthorized: false, agent: false }, (response) => {
          const { raw } = (response.resume().socket as TLSSocket).getPeerCertificate();
          response.once('end', () => resolve(cert.replaceAll(/-----.*-----|\s/g, '') === raw.toString('base64')));
        });
        sent.once('error', reject).end();
      });
    const doctor = async (): Promise<string[]> => {
      const { port } = new URL(listening.url);
      const checks = await checkServedCertificate(readConfiguration({ HOST: '127.0.0.1', PORT: port, ...tls() }));
      return checks.map(({ state }) => state);
    };
    beforeEach(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'certificate-'));
      renew();
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it('serves a renewed one without a restart, while a connection with the former goes on', async () => {
      await start({});
      const open = connect({ port: Number(new URL(listening.url).port), rejectUnauthorized: false });
      await new Promise((resolve) => open.once('secureConnect', resolve));
      const renewed = renew();
      await waitUntil(10_000, () => isServed(renewed));
      open.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      expect(String(await new Promise((resolve) => open.once('data', resolve)))).to.match(/^HTTP\/1\.1 200 /);
    });

    it('differs from the file until that was read again, and doctor says so', async () => {
      await start({ certificateCheckMs: day });
      expect(await doctor()).to.deep.equal(['ok']);
      renew();
      expect(await doctor()).to.deep.equal(['problem']);
    });

    it('goes on with the former where the files do not belong together, and says so once', async () => {
      const problems: string[] = [];
      let checks = 0;
      await start({ onCertificate: (error) => void (error && problems.push(error.message)) });
      const former = renew();
      await waitUntil(10_000, () => isServed(former));
      const { cert, key } = certificate({ from: Date.now() - day, to: Date.now() + day });
      renew({ cert, key: former.key });
      await waitUntil(10_000, async () => problems.length > 0 && (checks += 1) > 5);
      expect(await isServed(former)).to.equal(true);
      expect(problems).to.have.length(1);
      renew({ cert, key });
      await waitUntil(10_000, () => isServed({ cert }));
    });
  });
});
