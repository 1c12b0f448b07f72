import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { ContractDocument } from '../contract/document.ts';
import { generatedNotice } from './source.ts';

/** Types of every operation, parameter, body, answer and header. */
export async function typesModule(contract: ContractDocument): Promise<string> {
  // Its Node API on the bundle, not its command line: that one loads redocly.yaml with an older Redocly and stops at our rules.
  // A default fills what a request leaves out, so it must not make a client send it: `defaultNonNullable` off.
  const ast = await openapiTS(contract as unknown as OpenAPI3, { silent: true, defaultNonNullable: false });
  return `${generatedNotice}${astToString(ast)}`;
}
