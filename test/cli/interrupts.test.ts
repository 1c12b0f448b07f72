import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Machine } from './machine.ts';
import { waitUntil } from './running-service.ts';

describe('affiliate, interrupted with Ctrl-C', () => {
  it('removes its copy of standard input, and ends by the signal', async () => {
    const machine = new Machine();
    const temporary = path.join(machine.folder, 'tmp');
    mkdirSync(temporary);
    const child = machine.start(['import', '-', '--strict', '--kind', 'user'], { TMPDIR: temporary });
    const gone = once(child, 'exit');
    child.stdin.write('{"login":"ada"}\n');
    await waitUntil(60_000, async () =>
      readdirSync(temporary).some((folder) => existsSync(path.join(temporary, folder, 'standard-input'))),
    );
    child.kill('SIGINT');
    expect(await gone).to.deep.equal([null, 'SIGINT']);
    expect(readdirSync(temporary)).to.deep.equal([]);
  });
});
