import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { temporaryFolder } from '../support/postgres.ts';
import { listBlocks } from './pages.ts';

describe('a site module in JavaScript', () => {
  it('is type-checked through one comment: the complete example and the short one', () => {
    expect(checkModule(path.resolve('docs/guides/examples/site-module.mjs'))).to.deep.equal([]);
    const short = listBlocks('docs/guides/extend-a-site.md').find(({ language }) => language === 'js');
    const copy = path.join(temporaryFolder('site-module-'), 'short.mjs');
    const whole = short?.source.replace("'./site/extension.ts'", `'${path.resolve('site/extension.ts')}'`) ?? '';
    writeFileSync(copy, whole);
    expect(checkModule(copy)).to.deep.equal([]);
    writeFileSync(copy, whole.replace('amountMinor', 'amountMajor'));
    expect(checkModule(copy).join()).to.include("'amountMajor' does not exist");
  });
});

let lastProgram: ts.Program | undefined;

/** The compiler's messages about a JavaScript file. */
function checkModule(module: string): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [module] }, ts.sys, process.cwd());
  const checked = ts.createProgram([module], { ...options, allowJs: true, checkJs: true, noImplicitAny: false }, undefined, lastProgram);
  lastProgram = checked;
  const found = [...checked.getSyntacticDiagnostics(), ...checked.getSemanticDiagnostics(checked.getSourceFile(module))];
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
