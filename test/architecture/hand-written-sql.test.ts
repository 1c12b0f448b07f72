import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const folder = 'db/repositories';
const runsSql = /manager\.query\b/g;
const statesWhy = /^(import [^;]+;\n)+\n\/\/ By hand\b/;

const files = readdirSync(folder).map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }));

describe('hand-written SQL of the repositories', () => {
  it('is run in 50 places at most: ordinary reads and writes go through the entities', () => {
    expect(files.flatMap(({ text }) => text.match(runsSql) ?? []).length).to.be.within(1, 50);
  });

  it('is in files alone whose first comment says what asks for it', () => {
    const silent = files.filter(({ text }) => text.match(runsSql) && !statesWhy.test(text));
    expect(silent.map(({ name }) => name)).to.deep.equal([]);
  });
});
