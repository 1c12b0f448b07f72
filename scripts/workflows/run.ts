import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runRedocly } from '../contract/redocly.ts';
import type { Answer } from './expectation.ts';
import type { Story } from './workflow.ts';

export interface Scene {
  /** Where the API begins: `https://…/api/v2`. */
  server: string;
  /** What the stories ask for by name, in their `inputs`. */
  inputs: Readonly<Record<string, string>>;
}

/** How a step went; of one that was taken again and again, how it ended. */
export interface TakenStep {
  stepId: string;
  request?: { method: string; url: string };
  response?: Answer;
  checks: Check[];
}

export interface Check {
  name: string;
  passed: boolean;
  message: string;
  /** As the story has it; absent where the contract is what was broken. */
  condition?: string;
}

export interface ToldStory {
  story: Story;
  taken: readonly TakenStep[];
  passed: boolean;
}

export interface Telling {
  passed: boolean;
  told: readonly ToldStory[];
  /** What Redocly said where it could not even begin. */
  complaint: string;
}

interface Log {
  files: Record<string, { executedWorkflows: { executedSteps: TakenStep[] }[] }>;
}

/** Has Redocly tell the stories to a live service, in one process, since starting it takes longer than any story. */
export async function tell(stories: readonly Story[], { server, inputs }: Scene): Promise<Telling> {
  const folder = mkdtempSync(path.join(tmpdir(), 'stories-'));
  const log = path.join(folder, 'log.json');
  try {
    const files = stories.map(({ file }) => file);
    // The inputs are keys: a command line can be read by everybody on the machine.
    const variables = { REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs) };
    const { ok, stdout, stderr } = await runRedocly(['respect', ...files, '--server', `api=${server}`, '--json-output', log], {
      env: variables,
    });
    const steps = stepsIn(log);
    const told = stories.map((story) => toldOf(story, steps.get(path.resolve(story.file)) ?? []));
    return { passed: ok && told.every(({ passed }) => passed), told, complaint: steps.size > 0 ? '' : `${stdout}${stderr}`.trim() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function stepsIn(log: string): Map<string, TakenStep[]> {
  const { files } = readLog(log);
  return new Map(
    Object.entries(files).map(([file, { executedWorkflows }]) => [
      path.resolve(file),
      executedWorkflows.flatMap(({ executedSteps }) => executedSteps),
    ]),
  );
}

/** There is none where Redocly gave up. */
function readLog(log: string): Log {
  try {
    return JSON.parse(readFileSync(log, 'utf8')) as Log;
  } catch {
    return { files: {} };
  }
}

function toldOf(story: Story, attempts: readonly TakenStep[]): ToldStory {
  const taken = [...new Map(attempts.map((step) => [step.stepId, step])).values()];
  const isComplete = story.steps.every(({ id }) => taken.some(({ stepId }) => stepId === id));
  return { story, taken, passed: isComplete && taken.every(({ checks }) => checks.every(({ passed }) => passed)) };
}
