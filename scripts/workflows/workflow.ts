import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What an Arazzo file has that is shown in the report. */
export interface Workflow {
  /** As in `key-life`. */
  name: string;
  file: string;
  title: string;
  summary: string;
  requiredInputs: readonly string[];
  steps: readonly WorkflowStep[];
}

export interface WorkflowStep {
  id: string;
  description: string;
}

const folder = 'openapi/workflows';
const extension = '.arazzo.yaml';

export const listWorkflows = (): Workflow[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .toSorted()
    .map((name) => readWorkflow(path.join(folder, name)));

/** Matches lines, because the project has no YAML parser of its own. A test checks that every file has these lines. */
export function readWorkflow(file: string): Workflow {
  const text = readFileSync(file, 'utf8');
  return {
    name: path.basename(file, extension),
    file,
    title: /^ {2}title: (.+)$/m.exec(text)?.[1] ?? '',
    summary: /^ {2}summary: (.+)$/m.exec(text)?.[1] ?? '',
    requiredInputs: [...new Set([...text.matchAll(/\$inputs\.(\w+)/g)].map(([, input = '']) => input))],
    steps: [...text.matchAll(/^ +- stepId: (\S+)\n +description: (.+)$/gm)].map(([, id = '', description = '']) => ({ id, description })),
  };
}
