import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Contract, loadContract } from '../../server/contract/contract.ts';
import type { ContractOperation } from '../../server/contract/document.ts';
import { listDryRuns } from '../../site/document/dry-run.ts';
import { temporaryFolder } from './postgres.ts';

export const bundleFile = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url));

let loaded: Contract | undefined;

/** The contract of the service, compiled once for all tests of this process. */
export async function theContract(): Promise<Contract> {
  loaded ??= loadContract(bundleFile);
  return loaded;
}

export function operationOf(contract: Contract, operationId: string): ContractOperation {
  const operation = contract.operations.find((one) => one.operationId === operationId);
  if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
  return operation;
}

const dryRuns = new WeakMap<Contract, Contract>();

/** The dry runs that the served document adds to those operations. */
export function dryRunContract(contract: Contract): Contract {
  const known = dryRuns.get(contract);
  if (known) return known;
  const { document } = contract;
  const { paths, schemas } = listDryRuns(document.paths, document);
  const components = { ...document.components, schemas: { ...document.components?.['schemas'], ...schemas } };
  const made = loadContract(smallContract(paths, components));
  dryRuns.set(contract, made);
  return made;
}

let folder: string | undefined;
let written = 0;

/** Writes a contract of a few lines, for cases that the service's own does not have, and returns its file name. */
export function smallContract(paths: Record<string, unknown>, components = {}): string {
  folder ??= temporaryFolder('small-contracts-');
  written += 1;
  const file = path.join(folder, `openapi-${written}.json`);
  writeFileSync(
    file,
    JSON.stringify({ openapi: '3.1.0', info: { title: 'Small', version: '1.0.0' }, servers: [{ url: '/api/v2' }], paths, components }),
  );
  return file;
}
