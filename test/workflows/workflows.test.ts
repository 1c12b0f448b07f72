import { expect } from 'chai';
import { openStage, type Stage } from '../../scripts/workflows/fixture.ts';
import { reportOf } from '../../scripts/workflows/report.ts';
import { type Telling, tell } from '../../scripts/workflows/run.ts';
import { allStories } from '../../scripts/workflows/workflow.ts';
import { mailsOf } from '../support/applications.ts';
import { forEachEngine } from '../support/engines.ts';
import { isSigned } from '../support/webhooks.ts';

const stories = allStories();

describe('the stories of openapi/workflows, told to a live service', () => {
  forEachEngine((engine) => {
    let stage: Stage;
    let telling: Telling;
    before(async () => {
      stage = await openStage(await engine.freshUrl());
      telling = await tell(stories, stage);
    });
    // It also proves the ledger.
    after(() => stage.close());

    for (const { name, title, summary } of stories)
      it(`${title}: ${summary}`, () => {
        const told = telling.told.filter(({ story }) => story.name === name);
        expect(told[0]?.passed, reportOf({ ...telling, told })).to.equal(true);
      });

    it('what the webhook was told is signed with the secret that its program was given', () => {
      const { received } = stage.receiver;
      expect(received.map(({ told }) => told.event)).to.deep.equal(['ping', 'registration.declined']);
      const made = telling.told.flatMap(({ taken }) => taken).find(({ stepId }) => stepId === 'subscribe');
      const secret = String((made?.response?.body as { secret?: string } | undefined)?.secret);
      expect(received.map((delivery) => isSigned(delivery, secret, Date.now()))).to.deep.equal([true, true]);
    });

    it('both applicants have a mail with what the store wrote to them', async () => {
      const mails = await mailsOf(stage.service);
      const about = (words: string): string[] =>
        mails.filter(({ parts }) => parts[0]?.text.includes(words)).map(({ headers }) => headers.get('to') ?? '');
      expect(about('We like your trail reports. Welcome!')).to.deep.equal(['Trail Notes <trailnotes@example.com>']);
      expect(about('Thank you, not this season.')).to.deep.equal(['Deals Deals Deals <dealsdealsdeals@example.com>']);
    });
  });
});
