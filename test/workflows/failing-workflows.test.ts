import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { openStage, type Stage } from '../../scripts/workflows/fixture.ts';
import { reportOf, verdictOf } from '../../scripts/workflows/report.ts';
import { type Telling, tell } from '../../scripts/workflows/run.ts';
import { readStory, type Story } from '../../scripts/workflows/workflow.ts';
import { temporaryFolder } from '../support/postgres.ts';

type Edit = readonly [from: string, to: string];

describe('a story that does not come true', () => {
  let folder: string;
  let stage: Stage;
  let telling: Telling;

  /** A story of openapi/workflows, told otherwise. */
  function retold(name: string, as: string, edits: readonly Edit[], contract = path.resolve('openapi/openapi.yaml')): Story {
    let text = readFileSync(`openapi/workflows/${name}.arazzo.yaml`, 'utf8');
    for (const [from, to] of [...edits, ['../openapi.yaml', contract] as const]) {
      if (!text.includes(from)) throw new Error(`${name} does not contain ${from}`);
      text = text.replace(from, to);
    }
    const file = path.join(folder, `${as}.arazzo.yaml`);
    writeFileSync(file, text);
    return readStory(file);
  }

  /** What clients were promised, had it been something else. */
  function otherContract(): string {
    const file = path.join(folder, 'openapi.json');
    const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
    contract.components.schemas.KeyRevoked.properties.revoked = { type: 'integer' };
    writeFileSync(file, JSON.stringify(contract));
    return file;
  }

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'told-badly-'));
    stage = await openStage(`sqlite:${temporaryFolder('told-badly-')}/affiliate.sqlite`);
    const broken = [
      retold('key-life', 'status', [['$statusCode == 401', '$statusCode == 200']]),
      retold('feed-followed', 'values', [
        ["'api_key_created'", "'api_key_made'"],
        ['X-Svc-Total == 2', 'X-Svc-Total == 3'],
      ]),
      retold('key-life', 'promise', [], otherContract()),
      retold('feed-followed', 'operation', [['operationId: get_events', 'operationId: get_news']]),
    ];
    telling = await tell(broken, stage);
  });
  after(async () => {
    await stage.close();
    rmSync(folder, { recursive: true });
  });

  const reportOn = (name: string): string => reportOf({ ...telling, told: telling.told.filter(({ story }) => story.name === name) });

  it('names the step, what was expected and what came instead', () => {
    expect(reportOn('status')).to.match(
      /✗ shut-out: The very next call with it is refused\.\n +GET \S+\/me answered 401 svc_api_invalid_key: .+\n +expected \$statusCode == 200\n +\$statusCode is 401\n/,
    );
  });

  it('is not told further, since everything after is built on what did not happen', () => {
    expect(reportOn('status')).to.include('✓ revoke: ').and.include('· revoke-again: not reached').and.include('· remembered: not reached');
  });

  it('names every value of a step that is not as told, in headers and in the body', () => {
    const [step] = /✗ wake-up:[^✗·]+/.exec(reportOn('values')) ?? [''];
    expect(step).to.include('expected $response.body#/0/event == \'api_key_made\'\n        $response.body#/0/event is "api_key_created"');
    expect(step).to.include('expected $response.header.X-Svc-Total == 3\n        $response.header.X-Svc-Total is "2"');
    expect(step.match(/expected /g)).to.have.lengthOf(2);
  });

  it('is also one whose answers break the promise of the contract', () => {
    expect(reportOn('promise')).to.match(/✗ revoke: [^✗·]+schema check: [^✗·]+integer/);
  });

  it('is also one that calls what does not exist', () => {
    expect(reportOn('operation')).to.match(/✗ start-at-the-end: [^✗·]+get_news/);
  });

  it('keeps no other from being told, and the whole is not taken for a success', () => {
    expect(telling.told.map(({ story, taken }) => [story.name, taken.length])).to.deep.equal([
      ['status', 7],
      ['values', 5],
      ['promise', 6],
      ['operation', 1],
    ]);
    expect(telling.passed).to.equal(false);
    expect(verdictOf(telling)).to.equal('0 of 4 stories came true');
  });

  it('shows no key and no secret', () => {
    const report = reportOf(telling);
    expect(report).not.to.match(/svc_[0-9a-f]{40}|whsec_/);
  });
});
