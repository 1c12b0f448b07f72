import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { warmRedocly } from './warm-redocly.ts';

/** The whole contract as one JSON text. Throws with what Redocly says when it does not hang together. */
export async function bundle(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
  try {
    const output = path.join(folder, 'openapi.json');
    const { ok, stdout, stderr } = await warmRedocly(['bundle', 'openapi/openapi.yaml', '--output', output]);
    if (!ok) throw new Error(`The contract could not be bundled.\n${stdout}${stderr}`.trim());
    return readFileSync(output, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
