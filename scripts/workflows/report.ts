import type { RunResult, StepResponse, StepResult, WorkflowCheck, WorkflowResult } from './run.ts';
import type { Workflow, WorkflowStep } from './workflow.ts';

/** Each workflow step by step, with the expected and the actual values of a step that failed. */
export const formatReport = ({ workflows, error }: RunResult): string =>
  [...workflows.filter(({ steps }) => steps.length > 0).flatMap(formatWorkflow), ...(error ? [error] : [])].join('\n');

export function formatVerdict({ workflows }: RunResult): string {
  const passed = workflows.filter((workflow) => workflow.passed).length;
  return `${passed} of ${workflows.length} workflows passed`;
}

export const formatSkipped = ({ title }: Workflow, missing: readonly string[]): string =>
  `${title}: skipped, it needs ${missing.map((input) => `--input ${input}=…`).join(' ')}`;

function formatWorkflow({ workflow, steps }: WorkflowResult): string[] {
  const resultOf = ({ id }: WorkflowStep): StepResult | undefined => steps.find(({ stepId }) => stepId === id);
  return [workflow.title, `  ${workflow.summary}`, '', ...workflow.steps.flatMap((step) => formatStep(step, resultOf(step))), ''];
}

function formatStep({ id, description }: WorkflowStep, result: StepResult | undefined): string[] {
  if (!result) return [`  · ${id}: not reached`];
  const failed = result.checks.filter(({ passed }) => !passed);
  if (failed.length === 0) return [`  ✓ ${id}: ${description}`];
  const lines = [formatExchange(result), ...firstCauses(failed).flatMap((check) => formatFailure(check, result))];
  return [`  ✗ ${id}: ${description}`, ...lines.map((line) => `      ${line}`)];
}

function formatExchange({ request, response }: StepResult): string {
  if (!request) return 'No request was sent';
  const line = `${request.method.toUpperCase()} ${request.url}`.trim();
  // Redocly's status for no response.
  if (!response || response.statusCode === 0) return `${line} had no response`;
  const { code, message } = (response.body ?? {}) as { code?: unknown; message?: unknown };
  const error = typeof code === 'string' && typeof message === 'string' ? ` ${code}: ${message}` : '';
  return `${line} answered ${response.statusCode}${error}`;
}

/** A wrong status explains all other failures of a step, and a failed condition explains missing outputs. */
function firstCauses(failed: readonly WorkflowCheck[]): readonly WorkflowCheck[] {
  const status = failed.filter(({ condition }) => condition?.startsWith('$statusCode =='));
  const conditions = failed.filter(({ condition }) => condition !== undefined);
  return [status, conditions, failed].find(({ length }) => length > 0) ?? [];
}

/** Redocly reports the expected values only; the actual ones are added. */
function formatFailure({ name, message, condition }: WorkflowCheck, { response }: StepResult): string[] {
  if (condition === undefined) return `${name}: ${message.trim()}`.split('\n');
  return [`expected ${condition}`, ...new Set(response ? actualValues(message, response).map((value) => `  ${value}`) : [])];
}

/** The values that a condition's expressions have in the response: `$response.body#/status is "pending"`. */
const actualValues = (condition: string, response: StepResponse): string[] =>
  [...condition.matchAll(/\$statusCode|\$response\.header\.[\w-]+|\$response\.body#[\w/-]+/g)].map(([expression]) => {
    // A secret that is printed ends up in CI logs.
    const isSecret = /(token|secret)$/.test(expression);
    return `${expression} is ${isSecret ? 'not shown here' : (JSON.stringify(evaluate(expression, response)) ?? 'not there')}`;
  });

function evaluate(expression: string, { statusCode, headers, body }: StepResponse): unknown {
  if (expression === '$statusCode') return statusCode;
  const [, header] = /^\$response\.header\.(.+)$/.exec(expression) ?? [];
  if (header !== undefined) return headers[header.toLowerCase()];
  const keys = expression.slice('$response.body#/'.length).split('/');
  return keys.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), body);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
