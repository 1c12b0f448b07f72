import { foundBy } from './expectation.ts';
import type { Step, Story } from './story.ts';
import type { TakenStep, Telling, ToldStory } from './telling.ts';

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
  const line = `  ${failed.length > 0 ? '✗' : '✓'} ${id}: ${description}`;
  return failed.length > 0 ? [line, ...answerLines(taken), ...failed.flatMap((check) => failureLines(check, taken))] : [line];
}

function answerLines({ request, response }: TakenStep): string[] {
  if (!request) return [];
  return [`      ${request.method.toUpperCase()} ${request.url} ${response ? `answered ${response.statusCode}` : 'had no answer'}`];
}

/** Redocly tells what it looked for. What it found instead is what helps. */
function failureLines({ name, message, condition }: TakenStep['checks'][number], { response }: TakenStep): string[] {
  if (condition === undefined || !message.startsWith('Checking')) return [`      ${name}: ${message.trim().replaceAll('\n', '\n      ')}`];
  const found = response ? foundBy(message, response).map((sentence) => `        ${sentence}`) : [];
  return [`      expected ${condition}`, ...new Set(found)];
}

export const leftOut = (story: Story, missing: readonly string[]): string =>
  `${story.title}: left out, it needs ${missing.map((input) => `--input ${input}=…`).join(' ')}`;
