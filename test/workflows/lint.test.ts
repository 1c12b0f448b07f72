import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { runRedocly } from '../../scripts/contract/redocly.ts';
import { listWorkflows } from '../../scripts/workflows/workflow.ts';
import { temporaryFolder } from '../support/postgres.ts';

const workflows = listWorkflows();
const lint = (...files: string[]) => runRedocly(['lint', ...files, '--config', 'openapi/workflows/redocly.yaml']);

describe('openapi/workflows', () => {
  it('has six workflows', () => {
    expect(workflows.map(({ name }) => name)).to.deep.equal([
      'application-to-paid-affiliate',
      'feed-followed',
      'key-life',
      'payout-cancelled-and-paid',
      'payouts-by-sepa-file',
      'webhook-life',
    ]);
  });

  it('declares exactly the inputs that each workflow uses', () => {
    for (const { file, requiredInputs } of workflows) {
      const [, required = ''] = /^ {6}required: \[(.+)\]$/m.exec(readFileSync(file, 'utf8')) ?? [];
      expect([...requiredInputs].toSorted(), file).to.deep.equal(required.split(', ').toSorted());
    }
  });

  it('has title, summary and step descriptions on lines that the report can read', () => {
    for (const { file, title, summary, steps } of workflows) {
      expect(title && summary, file).not.to.equal('');
      expect(steps.length, file).to.equal(readFileSync(file, 'utf8').match(/stepId:/g)?.length);
    }
  });

  it('passes the lint', async () => {
    const { ok, stdout, stderr } = await lint(...workflows.map(({ file }) => file));
    expect(ok, stdout + stderr).to.equal(true);
  });
});

describe('the lint of a workflow', () => {
  it('finds a missing summary, a step without description or criteria, an unknown output, and outputs of the workflow', async () => {
    const file = path.join(temporaryFolder('lint-workflows-'), 'broken.arazzo.yaml');
    const text = readFileSync('openapi/workflows/feed-followed.arazzo.yaml', 'utf8')
      .replace('../openapi.yaml', path.resolve('openapi/openapi.yaml'))
      .replace(/^ {2}summary: .+\n/m, '')
      .replace(/^ +description: And then there is nothing more\.\n/m, '')
      .replace(/ +successCriteria:\n +- condition: \$statusCode == 201\n/, '')
      .replace('$steps.wake-up.outputs.cursor', '$steps.wake-up.outputs.place')
      .concat('    outputs: { cursor: $steps.go-on.outputs.cursor }\n');
    writeFileSync(file, text);
    const { ok, stdout } = await lint(file);
    expect(ok).to.equal(false);
    expect(stdout)
      .to.include('summary is required. A workflow needs a summary')
      .and.include('description is required. A step needs a description')
      .and.include('successCriteria is required. A step needs')
      .and.include('Output key "place" is not defined in step "wake-up".')
      .and.include('"outputs" is disallowed. Only steps have outputs');
  });
});
