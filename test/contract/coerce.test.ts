import { expect } from 'chai';
import { isCalendarDay } from '../../server/contract/ajv.ts';
import { compileReader, compileTextReader, type Pairs, readPairs } from '../../server/contract/coerce.ts';
import type { JsonSchema } from '../../server/contract/document.ts';

function plain(pairs: Pairs): unknown {
  return Object.fromEntries([...pairs].map(([name, { texts, asList }]) => [name, asList ? { list: texts } : texts]));
}

function readQuery(schema: JsonSchema, query: string, explode?: boolean): unknown {
  const given = readPairs(query).get('x');
  return given && compileReader(schema, explode)(given);
}

describe('coercion of text to typed values', () => {
  const integer = compileTextReader({ type: 'integer' });
  const number = compileTextReader({ type: 'number' });
  const boolean = compileTextReader({ type: 'boolean' });

  it('accepts an integer only in its canonical spelling', () => {
    for (const text of ['0', '1', '-1', '42', '9007199254740991', '-9007199254740991']) expect(integer(text), text).to.equal(Number(text));
    for (const text of [
      '',
      ' 5',
      '5 ',
      '+5',
      '05',
      '007',
      '-0',
      '1.0',
      '1.5',
      '1e3',
      '0x10',
      '1_000',
      '٥',
      'five',
      'NaN',
      'Infinity',
      '5\n',
    ]) {
      expect(integer(text), JSON.stringify(text)).to.equal(text);
    }
  });

  it('leaves an integer that would lose digits as text', () => {
    for (const text of ['9007199254740992', '-9007199254740992', '100000000000000000000']) expect(integer(text)).to.equal(text);
  });

  it('accepts a number only as a plain decimal', () => {
    for (const text of ['0', '16.18', '-0.5', '100']) expect(number(text), text).to.equal(Number(text));
    for (const text of ['', '.5', '5.', '1e3', '0x10', '01.5', '1,5', ' 1', '9'.repeat(400)]) expect(number(text), text).to.equal(text);
  });

  it('accepts true, false, 1 and 0 as booleans, and nothing else', () => {
    expect(['true', '1', 'false', '0'].map(boolean)).to.deep.equal([true, true, false, false]);
    for (const text of ['', 'TRUE', 'yes', 'on', '2', ' true']) expect(boolean(text), text).to.equal(text);
  });

  it('leaves text unchanged if the schema accepts text', () => {
    expect(['5', 'true', ''].map(compileTextReader({ type: 'string' }))).to.deep.equal(['5', 'true', '']);
    expect(compileTextReader({ type: ['integer', 'string'] })('5')).to.equal('5');
    expect(compileTextReader({})('5')).to.equal('5');
  });

  it('finds the type in unions, compositions and enums', () => {
    expect(compileTextReader({ type: ['integer', 'null'] })('5')).to.equal(5);
    expect(compileTextReader({ allOf: [{ type: 'integer' }, { minimum: 1 }] })('5')).to.equal(5);
    expect(compileTextReader({ anyOf: [{ type: 'boolean' }, { type: 'null' }] })('true')).to.equal(true);
    expect(compileTextReader({ const: 1 })('1')).to.equal(1);
    expect(compileTextReader({ enum: [10, 20] })('20')).to.equal(20);
  });

  it('reads a list from brackets, from numbered brackets, from repetition, from both and from a single value', () => {
    const list: JsonSchema = { type: 'array', items: { type: 'integer' } };
    for (const query of ['x[]=1&x[]=2', 'x%5B%5D=1&x%5B%5D=2', 'x[0]=1&x[1]=2', 'x=1&x=2', 'x[]=1&x=2']) {
      expect(readQuery(list, query), query).to.deep.equal([1, 2]);
    }
    expect(readQuery(list, 'x=1')).to.deep.equal([1]);
  });

  it('splits at commas only if the contract says so', () => {
    const list: JsonSchema = { type: 'array', items: { type: 'string' } };
    expect(readQuery(list, 'x=a,b', false)).to.deep.equal(['a', 'b']);
    expect(readQuery(list, 'x=a%2Cb&x=c', false)).to.deep.equal(['a', 'b', 'c']);
    expect(readQuery(list, 'x=a,b')).to.deep.equal(['a,b']);
  });

  it('does not accept a repeated or bracketed value as a scalar', () => {
    expect(readQuery({ type: 'integer' }, 'x=1&x=2')).to.deep.equal(['1', '2']);
    expect(readQuery({ type: 'string' }, 'x[]=1')).to.deep.equal(['1']);
  });

  it('parses form-encoded pairs, also with invalid encoding and dangerous names', () => {
    expect(plain(readPairs('a=1+2&b=%C3%A9&c&a=3'))).to.deep.equal({ a: ['1 2', '3'], b: ['é'], c: [''] });
    expect(plain(readPairs('a=%zz&b=%'))).to.deep.equal({ a: ['%zz'], b: ['%'] });
    expect(plain(readPairs('toString=1&a[b]=2&c.d=3'))).to.deep.equal({ toString: ['1'], 'a[b]': ['2'], 'c.d': ['3'] });
    expect([...readPairs('__proto__=1').keys()]).to.deep.equal(['__proto__']);
    expect(readPairs('').size).to.equal(0);
  });
});

describe('the format calendar-day', () => {
  it('accepts a day that exists', () => {
    const days = ['2026-02-28', '2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01', '9999-12-31', '0004-02-29', '0099-06-30'];
    for (const day of days) expect(isCalendarDay(day), day).to.equal(true);
  });

  it('refuses a day that does not exist, and other notations', () => {
    const others = [
      '2026-02-30',
      '2026-02-29',
      '1900-02-29',
      '0100-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '2026-01-32',
      '0000-01-01',
    ];
    const spellings = [
      '2026-1-1',
      '26-01-01',
      '2026/01/01',
      '20260101',
      '2026-01-01T00:00:00',
      ' 2026-01-01',
      '2026-01-01\n',
      '+2026-01-01',
      '',
    ];
    for (const text of [...others, ...spellings]) expect(isCalendarDay(text), JSON.stringify(text)).to.equal(false);
  });
});
