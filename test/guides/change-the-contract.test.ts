import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import ts from 'typescript';
import { inProof } from '../support/in-proof.ts';
import { CheckoutCopy } from './checkout-copy.ts';
import { type Block, listBlocks } from './pages.ts';

const page = 'docs/guides/change-the-contract.md';
const schemas = 'openapi/components/schemas';
const examples = 'openapi/components/examples';

/** A checkout in which the page was followed already has the field and the operation that the tests would add. */
const isFollowed = readFileSync(`${schemas}/Key.yaml`, 'utf8').includes('days_left:') || existsSync('openapi/paths/coupons_id_notes.yaml');

/** PROVE_GUIDES=all: lint, generate, compile and test as a reader does takes a minute. */
const { describeInProof } = inProof('PROVE_GUIDES');

describeInProof(`a reader who follows ${page}${isFollowed ? ' (skipped: this checkout has its changes already)' : ''}`, () => {
  let checkout: CheckoutCopy;
  before(function () {
    if (isFollowed) this.skip();
    checkout = new CheckoutCopy();
  });

  const blocks = listBlocks(page);
  const inLanguage = (language: string): Block[] => blocks.filter((block) => block.language === language);
  const commands = (step: string): Block[] => inLanguage('bash').filter(({ under }) => under.startsWith(step));
  const edit = (file: string, from: string | RegExp, to: string): void => {
    const before = readFileSync(checkout.path(file), 'utf8');
    const after = before.replace(from, () => to);
    if (after === before) throw new Error(`${file} does not contain ${from}.`);
    writeFileSync(checkout.path(file), after);
  };
  const lint = (): Promise<string> => checkout.runBlocks(commands('2.')).catch((error: Error) => error.message);

  it('adds one line, gets every consequence from the linter, and ends with a valid contract', async () => {
    const field = inLanguage('yaml')[0]?.source ?? '';
    edit(`${schemas}/Key.yaml`, 'properties:\n', `properties:\n${field}`);
    expect(await lint())
      .to.include('ended with 1')
      .and.include('contract/always-present')
      .and.include('contract/record-extends');
    edit(`${schemas}/Key.yaml`, 'created_by]', 'created_by, days_left]');
    edit(`${schemas}/KeyCreated.yaml`, 'properties:\n', `properties:\n${field}`);
    edit(`${schemas}/KeyCreated.yaml`, 'created_by,', 'created_by, days_left,');
    edit(`${examples}/keys.yaml`, '    created_by: 1\n', '    created_by: 1\n    days_left: 149\n');
    edit(`${examples}/key-created.yaml`, '  created_by: 1\n', '  created_by: 1\n  days_left: 391\n');
    expect(await lint()).not.to.include('ended with');
  });

  it('generates, and the mock serves the new field before any code has it', async () => {
    expect(await checkout.runBlocks(commands('3.')))
      .to.include('wrote generated/openapi.json')
      .and.match(/"days_left": ?149/);
  });

  it('gets the place of the missing field from the compiler, and adds only the lines of the guide', async () => {
    await checkout.runBlocks(commands('4.'));
    expect(typeErrors(checkout.folder)).to.match(/handlers\/views\/key\.ts.*'days_left' is missing/);
    const [line, helper] = inLanguage('ts');
    edit('handlers/views/key.ts', '    created_by: key.createdBy,\n', `    created_by: key.createdBy,\n    ${line?.source}`);
    edit('handlers/views/key.ts', 'import { localDateTime }', 'import { dayOf, daysBetween, localDateTime }');
    edit('domain/dates.ts', /$/, `\n${helper?.source}`);
    expect(typeErrors(checkout.folder)).to.equal('');
  });

  it('has tests that pass with the new field, with every response checked against the contract', async () => {
    expect(await checkout.runBlocks(commands('5.'))).to.include('npm test');
    const mocha = ['node_modules/mocha/bin/mocha.js', 'test/api/keys.test.ts'];
    const env = { ...process.env, TEST_ENGINES: 'sqlite' };
    const { stdout, stderr } = spawnSync(process.execPath, mocha, { cwd: checkout.folder, env, encoding: 'utf8' });
    expect(stdout, stderr).to.match(/\d+ passed, 0 failed\n$/);
  });

  it('writes an operation that lint and the compiler accept at once, and not a second time', async () => {
    expect(await checkout.runBlocks(commands('Add an operation'))).to.include('get_coupons_id_notes is written');
    expect(await lint()).not.to.include('ended with');
    expect(typeErrors(checkout.folder, 'handlers/index.ts')).to.equal('');
    const again = await checkout.runBlocks(commands('Add an operation')).catch((error: Error) => error.message);
    expect(again).to.include('GET /coupons/{id}/notes exists already, in openapi/paths/coupons_id_notes.yaml.');
  });
});

let lastProgram: ts.Program | undefined;

/** The compiler's messages about a file, by default the view, and its imports. */
function typeErrors(folder: string, file = 'handlers/views/key.ts'): string {
  const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [file] }, ts.sys, folder);
  const program = ts.createProgram([`${folder}/${file}`], options, undefined, lastProgram);
  lastProgram = program;
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => '\n',
  });
}
