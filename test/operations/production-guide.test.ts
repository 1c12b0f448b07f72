import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { listCompletions } from '../../cli/commands/completion.ts';
import { createProgram } from '../../cli/program.ts';
import { listBlocks } from '../guides/pages.ts';
import { parseYaml } from '../support/yaml.ts';

const page = 'docs/guides/run-in-production.md';
const blocks = listBlocks(page).filter(({ language }) => language === 'sh');

describe(page, () => {
  it('names containers, images and commands that exist', () => {
    const lines = blocks
      .flatMap(({ source }) => source.replaceAll(/\\\n\s*/g, '').split('\n'))
      .filter((line) => line.startsWith('docker '));
    const [, image] = /^docker build -t (\S+) \.$/m.exec(lines.join('\n')) ?? [];
    const [, name] = new RegExp(`^docker run .*--name (\\S+) .* ${image}$`, 'm').exec(lines.join('\n')) ?? [];
    const services = Object.keys((parseYaml(readFileSync('compose.yaml', 'utf8')) as { services: object }).services);
    const routes = listCompletions(createProgram()).map(({ route }) => route);
    const executed = lines.flatMap((line) => {
      const [, compose, container = '', program = '', words = ''] = /^docker (compose )?exec (?:-T )?(\S+) (\S+) (.*)$/.exec(line) ?? [];
      return container === '' ? [] : [{ isThere: compose ? services.includes(container) : container === name, program, words }];
    });
    const alone = lines.flatMap((line) => {
      const [, words] = new RegExp(`^docker run --rm .* ${image} (.*)$`).exec(line) ?? [];
      return words === undefined ? [] : [{ isThere: true, program: 'affiliate', words }];
    });
    expect([executed.length, alone.length]).to.deep.equal([9, 1]);
    for (const { isThere, program, words } of [...executed, ...alone]) {
      expect(isThere, words).to.equal(true);
      if (program === 'affiliate')
        expect(
          routes.some((route) => words === route || words.startsWith(`${route} `)),
          words,
        ).to.equal(true);
    }
  });
});
