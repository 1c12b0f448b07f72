import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runRedocly } from '../contract/redocly.ts';
import { copyWithUsedOperations } from './used-operations.ts';
import type { Workflow } from './workflow.ts';

/** The service that workflows run against. */
export interface WorkflowTarget {
  /** Base URL of the API: `https://…/api/v2`. */
  server: string;
  inputs: Readonly<Record<string, string>>;
}

/** The last attempt of a step. The shape is that of Redocly's log. */
export interface StepResult {
  stepId: string;
  request?: { method: string; url: string };
  response?: StepResponse;
  checks: WorkflowCheck[];
}

export interface StepResponse {
  statusCode: number;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

export interface WorkflowCheck {
  name: string;
  passed: boolean;
  message: string;
  /** As in the Arazzo file; absent where the response violates the contract. */
  condition?: string;
}

export interface WorkflowResult {
  workflow: Workflow;
  steps: readonly StepResult[];
  passed: boolean;
}

export interface RunResult {
  passed: boolean;
  workflows: readonly WorkflowResult[];
  /** What Redocly printed where it ran no step at all. */
  error: string;
}

/** Runs all workflows by one Redocly process, because its start takes longer than a workflow. */
export async function runWorkflows(workflows: readonly Workflow[], { server, inputs }: WorkflowTarget): Promise<RunResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'workflows-'));
  const log = path.join(folder, 'log.json');
  try {
    const copies = new Map(workflows.map((workflow) => [workflow, copyWithUsedOperations(workflow.file, folder)]));
    const args = ['respect', ...copies.values(), '--server', `api=${server}`, '--json-output', log];
    // The inputs hold keys, and other users of the machine can read command lines.
    const { ok, stdout, stderr } = await runRedocly(args, { env: { REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs) } });
    const steps = readLog(log);
    const results = workflows.map((workflow) => resultOf(workflow, steps.get(copies.get(workflow) ?? '') ?? []));
    return {
      passed: ok && results.every(({ passed }) => passed),
      workflows: results,
      error: steps.size > 0 ? '' : `${stdout}${stderr}`.trim(),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** All attempts of all steps by absolute file. Empty where Redocly wrote no log. */
function readLog(file: string): Map<string, StepResult[]> {
  try {
    const log = JSON.parse(readFileSync(file, 'utf8')) as {
      files: Record<string, { executedWorkflows: { executedSteps: StepResult[] }[] }>;
    };
    const entries = Object.entries(log.files);
    return new Map(
      entries.map(([name, { executedWorkflows }]) => [path.resolve(name), executedWorkflows.flatMap((run) => run.executedSteps)]),
    );
  } catch {
    return new Map();
  }
}

function resultOf(workflow: Workflow, attempts: readonly StepResult[]): WorkflowResult {
  const lastAttempts = new Map(attempts.map((step) => [step.stepId, step]));
  const steps = [...lastAttempts.values()];
  const isComplete = workflow.steps.every(({ id }) => lastAttempts.has(id));
  return { workflow, steps, passed: isComplete && steps.every(({ checks }) => checks.every(({ passed }) => passed)) };
}
