import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from '../../site/document/openapi.ts';

export const bundleFile = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url));

/** Reads the bundled contract. */
export function readBundle(file = bundleFile): OpenApiDocument {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
  } catch (error) {
    throw new Error(`The contract ${file} cannot be read. Run "npm run generate".`, { cause: error });
  }
}
