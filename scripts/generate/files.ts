import { existsSync, readFileSync } from 'node:fs';
import { bundleContract, type ContractDocument } from '../contract/document.ts';
import { formatClient } from './client.ts';
import { eventsModule } from './events.ts';
import { formatOperations } from './operations.ts';
import { transitionsModule } from './transitions.ts';
import { typesModule } from './types.ts';

export interface GeneratedFile {
  file: string;
  content: string;
  isCurrent: boolean;
}

/** Everything that follows from the contract by machine, by the name of the file. Deterministic. */
export const generateFiles = async (contract: ContractDocument): Promise<Record<string, string>> => ({
  'generated/openapi.json': `${JSON.stringify(contract, null, 2)}\n`,
  'generated/api.d.ts': await typesModule(contract),
  'generated/operations.ts': formatOperations(contract),
  'generated/transitions.ts': transitionsModule(contract),
  'generated/events.ts': eventsModule(contract),
  'generated/client.ts': formatClient(contract),
});

/** The same, compared with what is there. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const contents = await generateFiles(bundleContract('openapi/openapi.yaml'));
  return Object.entries(contents).map(([file, content]) => ({ file, content, isCurrent: isCurrent(file, content) }));
}

const isCurrent = (file: string, content: string): boolean => existsSync(file) && readFileSync(file, 'utf8') === content;

/** One sentence for each file that does not follow from the sources as they are; none when all do. */
export const complaintsAbout = (files: readonly GeneratedFile[]): string[] =>
  files
    .filter(({ isCurrent }) => !isCurrent)
    .map(({ file }) => `${file} does not follow from openapi/. Run \`npm run generate\` and commit what it writes.`);
