import type { EntityManager } from 'typeorm';

/** Answers each of what was asked, in the same place. */
type AskAll<Asked, Answer> = (asked: readonly Asked[]) => Promise<readonly Answer[]>;

interface Round {
  asked: unknown[];
  answers: Promise<readonly unknown[]>;
}

/** The rounds that are still open, of each view. */
const rounds = new WeakMap<EntityManager, Map<object, Round>>();

/**
 * Asks a question together with all who ask it of the same view in the same turn of the event loop: one statement answers all of them, and
 * takes hardly longer than for one. `question` is what makes two of them the same question.
 */
export async function askedTogether<Asked, Answer>(
  manager: EntityManager,
  question: object,
  asked: Asked,
  askAll: AskAll<Asked, Answer>,
): Promise<Answer> {
  const open = rounds.get(manager) ?? new Map<object, Round>();
  rounds.set(manager, open);
  const round = open.get(question) ?? begun(open, question, askAll);
  const place = round.asked.push(asked) - 1;
  return (await round.answers)[place] as Answer;
}

function begun<Asked, Answer>(open: Map<object, Round>, question: object, askAll: AskAll<Asked, Answer>): Round {
  const asked: Asked[] = [];
  const answers = everybodyHasAsked().then(() => {
    open.delete(question);
    return askAll(asked);
  });
  const round = { asked, answers };
  open.set(question, round);
  return round;
}

/** A tick comes after all promises that are settled by now have told those who wait for them. */
const everybodyHasAsked = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
