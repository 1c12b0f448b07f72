import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { nearest } from '../../domain/records/nearest.ts';
import { masterKeyFile } from '../../server/auth/master-key.ts';
import { type Configuration, variables } from '../../server/configuration.ts';
import { isWritable } from '../terminal/output.ts';
import { type Check, ok, problem, warning } from './check.ts';
import { databaseFile } from './machine.ts';

/** Undefined on Windows, which has no such numbers. */
const ownId = (): number | undefined => process.getuid?.();

/** Whether this is the user that runs the service: the owner of its data. */
export function checkUser(configuration: Configuration, userId = ownId()): Check[] {
  const name = 'user';
  const { dataDir } = configuration;
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || userId === undefined) return [];
  const [self, service] = [userName(userId), userName(owner)];
  const remedy = `Run it as ${service}; the wrapper docs/operations/affiliate does so.`;
  if (userId === 0 && owner !== 0)
    return [problem(name, `This is root, and ${dataDir} belongs to ${service}: the service cannot use what root creates there. ${remedy}`)];
  if (userId !== owner && !isWritable(dataDir)) return [problem(name, `This is ${self}, and ${dataDir} belongs to ${service}. ${remedy}`)];
  const foreign = dataFiles(configuration).filter((file) => statSync(file, { throwIfNoEntry: false })?.uid !== owner);
  if (foreign.length === 0) return [ok(name, `${self}; the data belongs to ${service}.`)];
  const files = foreign.join(' ');
  return [problem(name, `Files in ${dataDir} belong to another user than their folder. As root, run: chown ${service}: ${files}`)];
}

/** The database with the files beside it, and the key. */
function dataFiles(configuration: Configuration): string[] {
  const database = databaseFile(configuration);
  const key = masterKeyFile({ dataDir: configuration.dataDir });
  const files = existsSync(key) ? [key] : [];
  if (database === null || path.dirname(path.resolve(database)) !== configuration.dataDir) return files;
  const name = path.basename(database);
  const beside = readdirSync(configuration.dataDir).filter((file) => file === name || file.startsWith(`${name}-`));
  return [...beside.map((file) => path.join(configuration.dataDir, file)), ...files];
}

function userName(id: number): string {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((each) => each.split(':')[2] === String(id));
    return line?.split(':')[0] ?? `the user ${id}`;
  } catch {
    return `the user ${id}`;
  }
}

/** Where an installation by the guide keeps the variables of its service. */
const serviceEnvironment = '/etc/affiliate-api/environment';

/** Which data and which key: with others, another installation is checked. */
const compared = ['DATA_DIR', 'DATABASE_URL', 'DATABASE_URL_FILE', 'MASTER_KEY_FILE'];

/** Whether this command has the variables of the service that is installed on this machine. */
export function checkServiceEnvironment(env: Readonly<Record<string, string | undefined>>, file = serviceEnvironment): Check[] {
  if (!existsSync(file)) return [];
  const remedy = 'Run the installed command, /usr/local/bin/affiliate, as root.';
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [warning('environment', `The variables of the service are in ${file}, which this user may not read. ${remedy}`)];
  }
  const malformed = text.split('\n').findIndex((line) => !/^(\s*$|[#;]|[A-Za-z_]\w*=)/.test(line));
  if (malformed >= 0)
    return [problem('environment', `${file}, line ${malformed + 1}: write it as NAME=value. Correct it, and restart the service.`)];
  const values = new Map([...text.matchAll(/^(\w+)=(["']?)(.*)\2$/gm)].map(([, name = '', , value = '']) => [name, value]));
  const misspelled = [...values.keys()].flatMap((name) => findMisspelled(name));
  if (misspelled.length > 0) return [warning('environment', `${misspelled.join(' ')} Correct ${file}, and restart the service.`)];
  const different = compared.filter((name) => values.has(name) && values.get(name) !== env[name]);
  if (different.length === 0) return [ok('environment', `The variables are those of ${file}.`)];
  const lines = different.map((name) => (name === 'DATABASE_URL' ? name : `${name}=${values.get(name)}`));
  return [warning('environment', `The service of this machine has ${lines.join(', ')} (${file}); this command does not. ${remedy}`)];
}

/** Only names that resemble one of ours: Node, PostgreSQL's library and site modules have variables of their own. */
function findMisspelled(name: string): string[] {
  if (variables.some((variable) => variable === name) || /^(PG|NODE_)/.test(name)) return [];
  return nearest(name, variables, { separator: '_', count: 1 }).map((meant) => `There is no variable ${name}. Did you mean ${meant}?`);
}
