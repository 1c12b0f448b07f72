/** A process that keeps Redocly's bundler and the compiler warm: it makes generated/ from the YAML and checks the service against it. */
import { type ContractDocument, listOperations } from '../contract/document.ts';
import { generateFiles } from '../generate/files.ts';
import { answerRequests } from './answering.ts';
import { bundle } from './bundle.ts';
import type { Problem } from './problem.ts';
import { TypeCheck } from './type-check.ts';
import { problemsOf } from './type-problems.ts';

export interface TypesProcess {
  /** From the YAML on the disk. */
  generate(): Generated;
  /** Of the service as it would be with these files in generated/, after these files of the project have changed. */
  check(changed: string[], generated: Record<string, string>): Problem[];
  /** Keeps what was found for the next start. */
  keep(): void;
}

export interface Generated {
  files: Record<string, string>;
  operations: number;
}

const types = new TypeCheck('tsconfig.build.json', 'dist/dev/types.tsbuildinfo');

async function generate(): Promise<Generated> {
  const contract = JSON.parse(await bundle()) as ContractDocument;
  return { files: await generateFiles(contract), operations: [...listOperations(contract)].length };
}

const check = (changed: string[], generated: Record<string, string>): Problem[] => problemsOf(types.check(changed, generated));

answerRequests({ generate, check, keep: () => types.keep() });
