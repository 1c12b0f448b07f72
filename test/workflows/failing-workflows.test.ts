import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { openFixture, type WorkflowFixture } from '../../scripts/workflows/fixture.ts';
import { formatReport, formatVerdict } from '../../scripts/workflows/report.ts';
import { type RunResult, runWorkflows } from '../../scripts/workflows/run.ts';
import { readWorkflow, type Workflow } from '../../scripts/workflows/workflow.ts';
import { temporaryFolder } from '../support/postgres.ts';

type Edit = readonly [from: string, to: string];

describe('the report of a workflow that fails', () => {
  const folder = temporaryFolder('failing-workflows-');
  let fixture: WorkflowFixture;
  let result: RunResult;

  /** A copy of a workflow with edits. */
  function edited(name: string, as: string, edits: readonly Edit[], contract = path.resolve('openapi/openapi.yaml')): Workflow {
    let text = readFileSync(`openapi/workflows/${name}.arazzo.yaml`, 'utf8');
    for (const [from, to] of [...edits, ['../openapi.yaml', contract] as const]) {
      if (!text.includes(from)) throw new Error(`${name} does not contain ${from}`);
      text = text.replace(from, to);
    }
    const file = path.join(folder, `${as}.arazzo.yaml`);
    writeFileSync(file, text);
    return readWorkflow(file);
  }

  /** The contract with another type of one response field. */
  function editedContract(): string {
    const file = path.join(folder, 'openapi.json');
    const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
    contract.components.schemas.KeyRevoked.properties.revoked = { type: 'integer' };
    writeFileSync(file, JSON.stringify(contract));
    return file;
  }

  before(async () => {
    fixture = await openFixture(`sqlite:${folder}/affiliate.sqlite`);
    const broken = [
      edited('key-life', 'status', [['$statusCode == 401', '$statusCode == 200']]),
      edited('feed-followed', 'values', [
        ["'api_key_created'", "'api_key_made'"],
        ['X-Svc-Total == 2', 'X-Svc-Total == 3'],
      ]),
      edited('key-life', 'schema', [], editedContract()),
      edited('feed-followed', 'operation', [['operationId: get_events', 'operationId: get_news']]),
    ];
    result = await runWorkflows(broken, fixture);
  });
  after(() => fixture.close());

  const reportOn = (name: string): string =>
    formatReport({ ...result, workflows: result.workflows.filter(({ workflow }) => workflow.name === name) });

  it('names the step, the request, the expected and the actual status', () => {
    expect(reportOn('status')).to.match(
      /✗ shut-out: The very next call with it is refused\.\n +GET \S+\/me answered 401 svc_api_invalid_key: .+\n +expected \$statusCode == 200\n +\$statusCode is 401\n/,
    );
  });

  it('shows the steps after the failure as not reached', () => {
    expect(reportOn('status')).to.include('✓ revoke: ').and.include('· revoke-again: not reached').and.include('· remembered: not reached');
  });

  it('names every wrong value of a step, in headers and in the body', () => {
    const [step] = /✗ wake-up:[^✗·]+/.exec(reportOn('values')) ?? [''];
    expect(step).to.include('expected $response.body#/0/event == \'api_key_made\'\n        $response.body#/0/event is "api_key_created"');
    expect(step).to.include('expected $response.header.X-Svc-Total == 3\n        $response.header.X-Svc-Total is "2"');
    expect(step.match(/expected /g)).to.have.lengthOf(2);
  });

  it('includes a response that violates the contract', () => {
    expect(reportOn('schema')).to.match(/✗ revoke: [^✗·]+schema check: [^✗·]+integer/);
  });

  it('includes a call of an operation that does not exist', () => {
    expect(reportOn('operation')).to.match(/✗ start-at-the-end: [^✗·]+get_news/);
  });

  it('includes the other workflows, which run all the same, and ends with the number of failures', () => {
    expect(result.workflows.map(({ workflow, steps }) => [workflow.name, steps.length])).to.deep.equal([
      ['status', 7],
      ['values', 5],
      ['schema', 6],
      ['operation', 1],
    ]);
    expect(result.passed).to.equal(false);
    expect(formatVerdict(result)).to.equal('0 of 4 workflows passed');
  });

  it('contains no key and no secret', () => {
    expect(formatReport(result)).not.to.match(/svc_[0-9a-f]{40}|whsec_/);
  });
});
