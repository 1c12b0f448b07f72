import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Machine } from './machine.ts';
import { startService, waitForOutput, waitUntil } from './running-service.ts';

/** Starts work with every request without awaiting it. */
const siteModule = `
export default {
  rateCeiling(identity, byDefault) {
    Promise.reject(new Error('forgotten'));
    setTimeout(() => { throw new Error('too late to be caught'); });
    return byDefault;
  },
};`;

/** Forgets work when it is loaded. */
const forgetful = `
Promise.reject(new Error('forgotten'));
setTimeout(() => { throw new Error('too late to be caught'); }, 50);
export default {};`;

describe('unhandled errors of a site module', () => {
  it('are logged, and a worker continues', async () => {
    const machine = new Machine();
    const site = path.join(machine.folder, 'site.mjs');
    writeFileSync(site, forgetful);
    const child = machine.start(['worker'], { SITE_MODULE: site, ENVIRONMENT: 'local', LOG_LEVEL: 'error' });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const { ended } = await waitForOutput(child, (output) => output.includes('ready'));
    await waitUntil(10_000, async () => child.exitCode !== null || err.includes('too late to be caught'));
    child.kill('SIGTERM');
    expect((await ended).code).to.equal(0);
    expect(err).to.contain('forgotten');
  });

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
