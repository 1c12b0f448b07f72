import type { ContractDocument } from '../contract/document.ts';
import { formatConstant, generatedNotice } from './source.ts';

const declarations = `export type TransitionTable = keyof typeof transitions;
export type Transition<Table extends TransitionTable = TransitionTable> = (typeof transitions)[Table]['rows'][number];
`;

/** Collects the state tables, keyed by the schema they stand on (PayoutStatus, RegistrationStatus). */
export function transitionsModule(contract: ContractDocument): string {
  const tables = Object.entries(contract.components.schemas)
    .filter(([, schema]) => 'x-transitions' in schema)
    .map(([name, schema]) => [name, schema['x-transitions']]);
  return [generatedNotice, formatConstant('transitions', Object.fromEntries(tables)), declarations].join('\n');
}
