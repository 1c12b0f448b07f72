import { expect } from 'chai';
import { openFixture, type WorkflowFixture } from '../../scripts/workflows/fixture.ts';
import { formatReport } from '../../scripts/workflows/report.ts';
import { type RunResult, runWorkflows } from '../../scripts/workflows/run.ts';
import { listWorkflows } from '../../scripts/workflows/workflow.ts';
import { mailsOf } from '../support/applications.ts';
import { forEngineOrAll } from '../support/engines.ts';
import { findSepaFaults } from '../support/pain-001.ts';
import { isSigned } from '../support/webhooks.ts';

const all = listWorkflows();

// PROVE_WORKFLOWS=all: on both engines. The tests of each operation are.

describe('openapi/workflows against a live service', () => {
  forEngineOrAll('postgres', process.env['PROVE_WORKFLOWS'] === 'all', (engine) => {
    let fixture: WorkflowFixture;
    let result: RunResult;
    before(async () => {
      fixture = await openFixture(await engine.freshUrl());
      result = await runWorkflows(all, fixture);
    });
    // Also verifies the ledger.
    after(() => fixture.close());

    for (const { name, title, summary } of all)
      it(`${title}: ${summary}`, () => {
        const workflows = result.workflows.filter(({ workflow }) => workflow.name === name);
        expect(workflows[0]?.passed, formatReport({ ...result, workflows })).to.equal(true);
      });

    it('signs webhook deliveries with the secret that POST /webhooks returned', () => {
      const { received } = fixture.receiver;
      expect(received.map(({ payload }) => payload.event)).to.deep.equal(['ping', 'registration.declined']);
      const subscription = result.workflows.flatMap(({ steps }) => steps).find(({ stepId }) => stepId === 'subscribe');
      const secret = String((subscription?.response?.body as { secret?: string } | undefined)?.secret);
      expect(received.map((delivery) => isSigned(delivery, secret, Date.now()))).to.deep.equal([true, true]);
    });

    it('pays by two SEPA files, of which the second has the other account of the payment that failed', () => {
      const ibans = fixture.payoutFiles.map((file) => [...file.matchAll(/<CdtrAcct>\s*<Id>\s*<IBAN>(\w+)</g)].map(([, iban]) => iban));
      expect(fixture.payoutFiles.flatMap(findSepaFaults)).to.deep.equal([]);
      expect(ibans).to.deep.equal([['NL91ABNA0417164300', 'FR1420041010050500013M02606'], ['DE02120300000000202051']]);
    });

    it('sends each applicant an e-mail with the message of the store', async () => {
      const mails = await mailsOf(fixture.service);
      const recipientsOf = (words: string): string[] =>
        mails.filter(({ parts }) => parts[0]?.text.includes(words)).map(({ headers }) => headers.get('to') ?? '');
      expect(recipientsOf('We like your trail reports. Welcome!')).to.deep.equal(['Trail Notes <trailnotes@example.com>']);
      expect(recipientsOf('Thank you, not this season.')).to.deep.equal(['Deals Deals Deals <dealsdealsdeals@example.com>']);
    });
  });
});
