import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { temporaryFolder } from '../support/postgres.ts';
import { blocksOf } from './pages.ts';

describe('a site module in JavaScript', () => {
  it('is checked by the compiler through one comment, as the guide says of editors: the whole example and the short one', () => {
    expect(complaintsAbout(path.resolve('docs/guides/examples/site-module.mjs'))).to.deep.equal([]);
    const short = blocksOf('docs/guides/extend-a-site.md').find(({ language }) => language === 'js');
    const copy = path.join(temporaryFolder('site-module-'), 'short.mjs');
    const whole = short?.source.replace("'./site/extension.ts'", `'${path.resolve('site/extension.ts')}'`) ?? '';
    writeFileSync(copy, whole);
    expect(complaintsAbout(copy)).to.deep.equal([]);
    writeFileSync(copy, whole.replace('amountMinor', 'amountMajor'));
    expect(complaintsAbout(copy).join()).to.include("'amountMajor' does not exist");
  });
});

let lastProgram: ts.Program | undefined;

/** What the compiler says of a file of JavaScript. */
function complaintsAbout(module: string): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [module] }, ts.sys, process.cwd());
  const checked = ts.createProgram([module], { ...options, allowJs: true, checkJs: true, noImplicitAny: false }, undefined, lastProgram);
  lastProgram = checked;
  const found = [...checked.getSyntacticDiagnostics(), ...checked.getSemanticDiagnostics(checked.getSourceFile(module))];
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
