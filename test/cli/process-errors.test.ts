import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Machine } from './machine.ts';
import { startService } from './running-service.ts';

/** Starts work with every request without awaiting it. */
const siteModule = `
export default {
  rateCeiling(identity, byDefault) {
    Promise.reject(new Error('forgotten'));
    setTimeout(() => { throw new Error('too late to be caught'); });
    return byDefault;
  },
};`;

describe('unhandled errors of a site module', () => {
  it('are logged, and the service continues to answer requests', async () => {
    const machine = new Machine();
    const site = path.join(machine.folder, 'site.mjs');
    writeFileSync(site, siteModule);
    const { url, child, ended } = await startService(machine, { SITE_MODULE: site, LOG_LEVEL: 'error' });
    for (let time = 0; time < 5; time += 1) expect((await fetch(`${url}/api/v2/openapi`)).status).to.equal(200);
    child.kill('SIGTERM');
    const { code, err } = await ended;
    expect(code).to.equal(0);
    for (const message of ['forgotten', 'too late to be caught']) expect(err).to.contain(message);
  });
});
