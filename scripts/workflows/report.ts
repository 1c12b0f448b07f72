import { foundBy } from './expectation.ts';
import type { Check, TakenStep, Telling, ToldStory } from './run.ts';
import type { Step, Story } from './workflow.ts';

/** The stories as people read them: what happened, step by step, and where one went wrong. */
export const reportOf = ({ told, complaint }: Telling): string =>
  [...told.filter(({ taken }) => taken.length > 0).flatMap(storyLines), ...(complaint ? [complaint] : [])].join('\n');

export const verdictOf = ({ told }: Telling): string => {
  const failed = told.filter(({ passed }) => !passed).length;
  return `${told.length - failed} of ${told.length} stories came true`;
};

function storyLines({ story, taken }: ToldStory): string[] {
  const steps = story.steps.flatMap((step) =>
    stepLines(
      step,
      taken.find(({ stepId }) => stepId === step.id),
    ),
  );
  return [story.title, `  ${story.summary}`, '', ...steps, ''];
}

function stepLines({ id, description }: Step, taken: TakenStep | undefined): string[] {
  if (!taken) return [`  · ${id}: not reached`];
  const failed = taken.checks.filter(({ passed }) => !passed);
  if (failed.length === 0) return [`  ✓ ${id}: ${description}`];
  const lines = [answerLine(taken), ...telling(failed).flatMap((check) => failureLines(check, taken))];
  return [`  ✗ ${id}: ${description}`, ...lines.map((line) => `      ${line}`)];
}

function answerLine({ request, response }: TakenStep): string {
  const asked = request ? `${request.method.toUpperCase()} ${request.url}`.trim() : 'It was not asked';
  // Redocly's number for no answer at all.
  if (!response || response.statusCode === 0) return request ? `${asked} had no answer` : asked;
  return `${asked} answered ${response.statusCode}${errorIn(response.body)}`;
}

const errorIn = (body: unknown): string => {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' && typeof message === 'string' ? ` ${code}: ${message}` : '';
};

/** In an answer of another status nothing is where it should be, and that goes without saying. Nor has a failed step outputs. */
function telling(failed: readonly Check[]): readonly Check[] {
  const status = failed.filter(({ condition }) => condition?.startsWith('$statusCode =='));
  const conditions = failed.filter(({ condition }) => condition !== undefined);
  return [status, conditions, failed].find(({ length }) => length > 0) ?? [];
}

/** Redocly tells what it looked for. What it found instead is what helps. */
function failureLines({ name, message, condition }: Check, { response }: TakenStep): string[] {
  if (condition === undefined) return `${name}: ${message.trim()}`.split('\n');
  const found = response ? foundBy(message, response).map((sentence) => `  ${sentence}`) : [];
  return [`expected ${condition}`, ...new Set(found)];
}

export const leftOut = (story: Story, missing: readonly string[]): string =>
  `${story.title}: left out, it needs ${missing.map((input) => `--input ${input}=…`).join(' ')}`;
