import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { onOneEngine } from '../attacks/one-engine.ts';
import { startService } from '../support/service.ts';

const program = `import createClient from 'openapi-fetch';
import type { paths } from './served.d.ts';
export async function callAll(baseUrl: string, key: string) {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });
  const { data: created } = await api.POST('/keys', { body: { description: 'typed', scopes: ['read'] } });
  const { data: me } = await api.GET('/me');
  const { data: keys = [] } = await api.GET('/keys', { params: { query: { per_page: 1 } } });
  // @ts-expect-error what is switched off is not in the types
  void (() => api.GET('/clicks/stats'));
  const token: string | undefined = created?.token;
  return { token: token?.length, edition: me?.edition, newest: keys[0]?.description };
}
`;

onOneEngine((engine) => {
  describe('a typed client made from the served document', () => {
    it('compiles and calls the service', async () => {
      const service = await startService(engine, { settings: { 'switches.get_clicks_stats': false } });
      const folder = mkdtempSync(path.join(tmpdir(), 'typed-client-'));
      try {
        const document = (await (await fetch(`${service.origin}/api/v2/openapi`)).json()) as OpenAPI3 & { servers: [{ url: string }] };
        writeFileSync(
          path.join(folder, 'served.d.ts'),
          astToString(await openapiTS(document, { defaultNonNullable: false, silent: true })),
        );
        writeFileSync(path.join(folder, 'client.ts'), program);
        copyFileSync('package.json', path.join(folder, 'package.json'));
        symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
        const config = {
          extends: path.resolve('tsconfig.json'),
          compilerOptions: { lib: ['es2023', 'dom'], types: [] },
          files: ['client.ts', 'served.d.ts'],
          include: [],
        };
        writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
        const compiled = spawnSync('node_modules/.bin/tsc', ['--noEmit', '-p', folder], { encoding: 'utf8' });
        expect(compiled.stdout + compiled.stderr).to.equal('');
        const { token } = await service.key(await service.user('boss', 'administrator'), ['read', 'manage']);
        const { callAll } = (await import(pathToFileURL(path.join(folder, 'client.ts')).href)) as {
          callAll: (baseUrl: string, key: string) => Promise<unknown>;
        };
        expect(await callAll(service.origin + document.servers[0].url, token)).to.deep.equal({
          token: 44,
          edition: 'pro',
          newest: 'typed',
        });
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
});
