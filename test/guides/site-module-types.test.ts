import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { temporaryFolder } from '../support/postgres.ts';
import { listBlocks } from './pages.ts';

describe('a site module in JavaScript', () => {
  it('is type-checked through one comment: the complete example and the short one', () => {
    const short = listBlocks('docs/guides/extend-a-site.md').find(({ language }) => language === 'js');
    const whole = short?.source.replace("'./site/extension.ts'", `'${path.resolve('site/extension.ts')}'`) ?? '';
    const folder = temporaryFolder('site-module-');
    const write = (name: string, text: string): string => {
      writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    };
    const wrong = write('wrong.mjs', whole.replace('amountMinor', 'amountMajor'));
    const right = [path.resolve('docs/guides/examples/site-module.mjs'), write('short.mjs', whole)];
    const messagesOf = checkModules([...right, wrong]);
    for (const module of right) expect(messagesOf(module), module).to.deep.equal([]);
    expect(messagesOf(wrong).join()).to.include("'amountMajor' does not exist");
  });
});

/** The compiler's messages about each of the JavaScript files, which it reads in one program: it takes seconds to start. */
function checkModules(modules: string[]): (module: string) => string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: modules }, ts.sys, process.cwd());
  const checked = ts.createProgram(modules, { ...options, allowJs: true, checkJs: true, noImplicitAny: false });
  const syntactic = checked.getSyntacticDiagnostics();
  return (module) =>
    [...syntactic, ...checked.getSemanticDiagnostics(checked.getSourceFile(module))].map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
}
