import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect } from 'chai';
import { formatAge } from '../../cli/terminal/format.ts';
import { reflow } from '../../cli/terminal/help.ts';
import { formatTable, numberColumn } from '../../cli/terminal/table.ts';
import { displayWidth, supportsBlockCharacters, wrap } from '../../cli/terminal/text.ts';
import { verifyPassword } from '../../domain/users/password.ts';
import { withPasswordCostOfProduction } from '../support/password-cost.ts';
import { compiledCommand } from './compiled-command.ts';
import { Machine, waitForExit } from './machine.ts';

const escape = '\u001b[';

describe('formatTable', () => {
  it('aligns columns by display width, numbers to the right, and replaces control characters', () => {
    const text = formatTable(
      [numberColumn('ID'), 'NAME', numberColumn('SALES')],
      [
        ['1', 'Zoë', '7.00'],
        ['12', '日本', '1,250.00'],
        ['3', `a${escape}2Jb\u202Ec`, '0.50'],
      ],
    );
    expect(text.split('\n')).to.deep.equal([
      'ID  NAME         SALES',
      ' 1  Zoë           7.00',
      '12  日本      1,250.00',
      ' 3  a?[2Jb?c      0.50',
    ]);
  });

  it('uses the display width of characters', () => {
    expect(['abc', 'é', 'e\u0301', '日本', '👍🏽', ''].map(displayWidth)).to.deep.equal([3, 1, 1, 4, 2, 0]);
  });

  it('wraps long cells at separators, and drops nothing', () => {
    expect(wrap('payout.requested,payout.paid,payout.cancelled', 20)).to.deep.equal([
      'payout.requested,',
      'payout.paid,',
      'payout.cancelled',
    ]);
    expect(wrap('abcdefghij', 4)).to.deep.equal(['abcd', 'efgh', 'ij']);
    for (const width of [3, 7, 20])
      expect(wrap('https://books.example/hooks a,b', width).join('').replaceAll(' ', '')).to.equal('https://books.example/hooksa,b');
  });

  it('has a reflow for help that wraps paragraphs and keeps examples as they are', () => {
    const example = `  affiliate key create ${'x'.repeat(40)}`;
    expect(reflow(`one two three\nfour\n\nExample\n${example}`, 10)).to.equal(`one two\nthree four\n\nExample\n${example}`);
  });
});

describe('formatAge', () => {
  it("returns the age, or the day in the store's calendar after more than a month", () => {
    const now = Date.parse('2026-11-15T12:00:00Z');
    const ages = ['11:59:30', '11:59:00', '11:01:00', '10:59:00', '00:00:00'].map((time) =>
      formatAge(Date.parse(`2026-11-15T${time}Z`), now, 'UTC'),
    );
    expect(ages).to.deep.equal(['just now', '1 minute ago', '59 minutes ago', '1 hour ago', '12 hours ago']);
    const days = ['2026-11-14T11:00:00Z', '2026-01-31T23:30:00Z', '2027-01-01T00:00:00Z'].map((at) =>
      formatAge(Date.parse(at), now, 'Europe/Berlin'),
    );
    expect(days).to.deep.equal(['1 day ago', '2026-02-01', '2027-01-01']);
    expect(formatAge(null, now, 'UTC')).to.equal('never');
  });
});

describe('supportsBlockCharacters', () => {
  it('depends on the locale and the terminal', () => {
    const supported = [{}, { LANG: 'de_DE.UTF-8' }, { LC_ALL: 'C.utf8', LANG: 'C' }, { TERM: 'xterm-256color' }];
    const unsupported = [
      { LANG: 'C' },
      { LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' },
      { LC_CTYPE: 'de_DE.ISO-8859-1' },
      { TERM: 'linux' },
      { TERM: 'dumb' },
    ];
    expect([...supported, ...unsupported].map((env) => supportsBlockCharacters(env))).to.deep.equal([
      ...supported.map(() => true),
      ...unsupported.map(() => false),
    ]);
  });
});

describe('affiliate in a pipe', () => {
  const machine = new Machine();

  it('prints no colours, unless FORCE_COLOR is set', async () => {
    const [plain, forced, refused] = await Promise.all(
      [{}, { FORCE_COLOR: '1' }, { FORCE_COLOR: '0' }].map((variables) => machine.run(['key', '--help'], variables)),
    );
    expect([plain, forced, refused].map((outcome) => outcome?.out.includes(escape))).to.deep.equal([false, true, false]);
  });

  it('exits with 1 when standard error is closed', async () => {
    const child = machine.start(['kye']);
    child.stderr.destroy();
    expect((await waitForExit(child)).code).to.equal(1);
  });
});

/** `script`, which most systems have, runs a command in a pseudo-terminal. */
const recorder = 'script';
const hasTerminal = spawnSync(recorder, ['-qec', 'true', '/dev/null']).status === 0;

describe('affiliate on a terminal (skipped where there is no script command)', () => {
  withPasswordCostOfProduction();
  const machine = new Machine();
  before(async function () {
    if (!hasTerminal) this.skip();
    await machine.addUser('ada', 'administrator');
  });

  const onTerminal = (args: string, variables: Record<string, string> = {}): string => {
    const command = [process.execPath, ...compiledCommand()].map((part) => `'${part}'`).join(' ');
    const env = { ...process.env, DATA_DIR: path.join(machine.folder, 'data'), TERM: 'xterm-256color', ...variables };
    for (const name of ['NO_COLOR', 'FORCE_COLOR', 'CI']) if (!(name in variables)) delete (env as Record<string, unknown>)[name];
    const { stdout } = spawnSync(recorder, ['-qec', `stty cols 60; ${command} ${args}`, '/dev/null'], { env, encoding: 'utf8' });
    return stdout.replaceAll('\r', '');
  };

  it('prints colours, and none with NO_COLOR', () => {
    expect([onTerminal('user list'), onTerminal('user list', { NO_COLOR: '1' })].map((text) => text.includes(escape))).to.deep.equal([
      true,
      false,
    ]);
  });

  it('fits tables to the width, and cuts nothing off', async () => {
    const text = onTerminal('settings list', { NO_COLOR: '1' });
    for (const line of text.split('\n')) expect(displayWidth(line), line).to.be.at.most(60);
    const lettersOf = (from: string): string => [...from.replaceAll(/\s/g, '')].sort().join('');
    expect(lettersOf(text)).to.equal(lettersOf(await machine.text('settings', 'list')));
  });

  /** Types the entries, each after its question. Returns what the terminal shows, and the exit code. */
  const typePasswords = async (args: string, entries: readonly string[]): Promise<{ shown: string; code: number | null }> => {
    const command = [process.execPath, ...compiledCommand()].map((part) => `'${part}'`).join(' ');
    const child = spawn(recorder, ['-qec', `${command} ${args}`, '/dev/null'], { env: { ...process.env, DATA_DIR: machine.dataDir } });
    const exited = waitForExit(child);
    let shown = '';
    let asked = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
      for (const count = shown.split(': ').length - 1; asked < count; asked += 1) child.stdin.write(entries[asked] ?? '');
    });
    return { code: (await exited).code, shown: shown.replaceAll('\r', '') };
  };

  it('asks for a password twice, and shows nothing of it', async () => {
    const set = await typePasswords('user password ada', ['a long sentencr\u007fe\r', 'a long sentence\r']);
    expect(set).to.deep.equal({
      code: 0,
      shown: 'New password: \nThe same again: \nThe password of ada is set. It is for the sign-in page, at /sign-in.\n',
    });
    const hash = await machine.inside((database) => database.read(({ users }) => users.passwordHashOf(1)));
    expect(await verifyPassword('a long sentence', hash)).to.equal(true);
    const created = await typePasswords('user create --login bob --email bob@example.com --password', ['a second one\r', 'a second one\r']);
    expect([created.code, created.shown]).to.deep.equal([0, 'New password: \nThe same again: \nUser 2 was created: bob, customer.\n']);
  });

  it('sets no password if the two differ, if it breaks a rule, or after Ctrl-D or Ctrl-C', async () => {
    const attempts = [
      await typePasswords('user password ada', ['a long sentence\r', 'another sentence\r']),
      await typePasswords('user password ada', ['short\r', 'short\r']),
      await typePasswords('user password ada', ['\u0004']),
      await typePasswords('user password ada', ['a long\u0003']),
    ];
    expect(attempts.map(({ shown }) => shown.split('\n').at(-2))).to.deep.equal([
      'The two passwords differ. Nothing was changed.',
      'The password must have at least 10 characters.',
      'No password was entered.',
      'New password: ',
    ]);
    // 130: ended by SIGINT.
    expect(attempts.map(({ code }) => code)).to.deep.equal([1, 1, 1, 130]);
    const hash = await machine.inside((database) => database.read(({ users }) => users.passwordHashOf(1)));
    expect(await verifyPassword('a long sentence', hash)).to.equal(true);
  });
});
