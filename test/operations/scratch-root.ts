import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { runAfterAllTests } from '../support/cleanup.ts';
import { freePort } from '../support/free-port.ts';

export const isRoot = userInfo().uid === 0;

/** What a clone has and the installation needs. */
const checkedOut = ['package.json', 'package-lock.json', 'dist', 'docs/operations', 'scripts/build/prepare.js'];

/** The folders of a machine that the guide writes to. */
const folders = /(?<![\w/])\/(opt|etc|var|media|usr\/local\/bin)(?=\/)/g;

interface Account {
  user: string;
  group: string;
}

const groupOf = (user: string): string => execFileSync('id', ['-gn', user], { encoding: 'utf8' }).trim();

/** An ordinary user, also where root runs the suite: it must have access to the programs. Null if there is none. */
function findServiceUser(): Account | null {
  if (!isRoot) return { user: userInfo().username, group: groupOf(userInfo().username) };
  const user = 'daemon';
  const canRun = spawnSync('runuser', ['-u', user, '--', process.execPath, '--version']).status === 0;
  return canRun ? { user, group: groupOf(user) } : null;
}

/** A folder that stands for the root of a machine. Commands of the guide run in it as printed, with its paths and its user. */
export class ScratchRoot {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'scratch-root-'));
  readonly #account: Account;
  readonly #port: number;

  private constructor(account: Account, port: number) {
    this.#account = account;
    this.#port = port;
    chmodSync(this.folder, 0o755);
    runAfterAllTests(() => rmSync(this.folder, { recursive: true, force: true }));
    const checkout = this.path('opt/affiliate-api');
    mkdirSync(path.join(checkout, 'node_modules'), { recursive: true });
    for (const name of checkedOut) cpSync(name, path.join(checkout, name), { recursive: true });
    const operations = path.join(checkout, 'docs/operations');
    for (const name of readdirSync(operations)) {
      const file = path.join(operations, name);
      writeFileSync(file, this.#translate(readFileSync(file, 'utf8')));
    }
  }

  /** Null where root runs the suite and cannot become another user. */
  static async create(): Promise<ScratchRoot | null> {
    const account = findServiceUser();
    return account && new ScratchRoot(account, await freePort());
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  /** This folder's paths, this machine's user, and a port that is free. */
  #translate(text: string): string {
    const { user, group } = this.#account;
    return text
      .replaceAll(folders, (found) => this.folder + found)
      .replaceAll(/-o affiliate\b/g, `-o ${user}`)
      .replaceAll(/-g affiliate\b/g, `-g ${group}`)
      .replaceAll('chown -R affiliate: ', `chown -R ${user}: `)
      .replaceAll(/^(user|User)=affiliate$/gm, `$1=${user}`)
      .replaceAll(/^Group=affiliate$/gm, `Group=${group}`)
      .replaceAll('PORT=8080', `PORT=${this.#port}\nHOST=127.0.0.1`);
  }

  /** Runs commands in one shell, in the checkout. Returns the output; throws with it if a command fails. */
  run(commands: string, as: 'self' | 'service' = 'self'): string {
    const file = this.path(`commands-${as}.sh`);
    writeFileSync(file, `source '${path.resolve('test/operations/machine.sh')}'\n${this.#translate(commands)}`);
    const shell = ['bash', file];
    const [program = '', ...args] = as === 'service' && isRoot ? ['runuser', '-u', this.#account.user, '--', ...shell] : shell;
    const env = {
      PATH: process.env['PATH'],
      HOME: this.path('home'),
      ROOT: this.folder,
      CHECKOUT: process.cwd(),
      SERVICE_USER: this.#account.user,
      npm_config_loglevel: 'error',
      npm_config_update_notifier: 'false',
    };
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: this.path('opt/affiliate-api'), env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`The commands ended with ${status}:\n${stdout}${stderr}`);
    return stdout + stderr;
  }
}
