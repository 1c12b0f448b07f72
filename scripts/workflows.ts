/** `npm run stories`: runs the Arazzo workflows of openapi/workflows against a live service. */
import { temporaryFolder } from '../test/support/postgres.ts';
import { runCommand } from './shared/usage.ts';
import { openFixture } from './workflows/fixture.ts';
import { help, optionsFrom, type WorkflowOptions } from './workflows/options.ts';
import { formatReport, formatSkipped, formatVerdict } from './workflows/report.ts';
import { runWorkflows, type WorkflowTarget } from './workflows/run.ts';
import { listWorkflows, type Workflow } from './workflows/workflow.ts';

async function runAndReport(target: WorkflowTarget, workflows: readonly Workflow[]): Promise<void> {
  const missingInputs = ({ requiredInputs }: Workflow): string[] => requiredInputs.filter((input) => target.inputs[input] === undefined);
  const possible = workflows.filter((workflow) => missingInputs(workflow).length === 0);
  const result = possible.length > 0 ? await runWorkflows(possible, target) : { passed: false, workflows: [], error: '' };
  console.log(formatReport(result));
  for (const workflow of workflows.filter((one) => !possible.includes(one))) console.log(formatSkipped(workflow, missingInputs(workflow)));
  console.log(formatVerdict(result));
  if (!result.passed) process.exitCode = 1;
}

const all = listWorkflows();

async function run({ names, target }: WorkflowOptions): Promise<void> {
  const workflows = all.filter(({ name }) => names.length === 0 || names.includes(name));
  if (target) return runAndReport(target, workflows);
  const fixture = await openFixture(`sqlite:${temporaryFolder('workflows-')}/affiliate.sqlite`);
  await runAndReport(fixture, workflows).finally(() => fixture.close());
}

const names = all.map(({ name }) => name);
await runCommand(help, () => optionsFrom(process.argv.slice(2), names), run);
