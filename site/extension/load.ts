import { statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { webhookEvents } from '../../generated/events.ts';
import { builtInGatewayNames, gatewayName } from '../settings/kinds.ts';
import { recordNames, type SiteModule } from './site-module.ts';

/** The site's module cannot be used. The message is for the operator and names the file. */
export class SiteModuleError extends Error {
  override readonly name = 'SiteModuleError';
}

/** Imports the site's module and validates everything that can be checked without calling it. @throws {SiteModuleError} */
export async function loadSiteModule(file: string): Promise<SiteModule> {
  const whole = path.resolve(file);
  if (!statSync(whole, { throwIfNoEntry: false })?.isFile()) throw new SiteModuleError(`There is no site module at ${whole}.`);
  const exported = await importFrom(whole);
  const site = exported.default ?? exported.site;
  if (!isObject(site)) throw new SiteModuleError(`The site module ${whole} exports no object, neither as default nor as \`site\`.`);
  const problems = problemsOf(site);
  if (problems.length > 0) throw new SiteModuleError(`The site module ${whole} cannot be used: ${problems.join('; ')}.`);
  return site;
}

async function importFrom(whole: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(whole).href)) as Record<string, unknown>;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SiteModuleError(`The site module ${whole} could not be loaded: ${reason}`, { cause });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the problem of a member, as words that follow its name. */
type Check = (value: unknown) => string | undefined;

const aFunction: Check = (value) => (typeof value === 'function' ? undefined : 'must be a function');

const anEvent: Check = (value) => {
  const { description, raisedBy } = isObject(value) ? value : {};
  return typeof description === 'string' && typeof raisedBy === 'function' ? undefined : 'must be { description, raisedBy }';
};

/** Checks an object by its names and its values. */
const named =
  (checkName: Check, checkValue: Check): Check =>
  (value) => {
    if (!isObject(value)) return 'must be an object';
    const found = Object.entries(value).flatMap(([name, entry]) => {
      const problem = checkName(name) ?? checkValue(entry);
      return problem ? [`"${name}" ${problem}`] : [];
    });
    return found.length > 0 ? `has entries of another kind: ${found.join(', ')}` : undefined;
  };

const isGatewayName: Check = (name) => {
  if (builtInGatewayNames.includes(String(name))) return 'is a gateway of the service already';
  return gatewayName.accepts(name) ? undefined : 'must be a short word in lower case';
};

const isEventName: Check = (name) => {
  if (Object.hasOwn(webhookEvents, String(name))) return 'is an event of the service already';
  return /^[a-z][a-z_]*(\.[a-z][a-z_]*)+$/.test(String(name)) ? undefined : 'must look like payout.large';
};

const isRecordName: Check = (name) =>
  recordNames.some((known) => known === name) ? undefined : `is none of the records ${recordNames.join(', ')}`;

const members: Record<keyof SiteModule, Check> = {
  amendOpenapi: aFunction,
  beforePayout: aFunction,
  beforeRegistration: aFunction,
  rateCeiling: aFunction,
  gateways: named(isGatewayName, aFunction),
  webhookEvents: named(isEventName, anEvent),
  present: named(isRecordName, aFunction),
  onEvent: aFunction,
};

function problemsOf(site: Record<string, unknown>): string[] {
  // A misspelled name would silently do nothing: the payout that it should have refused would be paid.
  const unknown = Object.keys(site).filter((name) => !Object.hasOwn(members, name));
  const wrong = Object.entries(members).flatMap(([name, check]) => {
    const problem = site[name] === undefined ? undefined : check(site[name]);
    return problem ? [`${name} ${problem}`] : [];
  });
  const known = Object.keys(members).join(', ');
  return [...(unknown.length > 0 ? [`it has ${unknown.join(', ')}, but the members are ${known}`] : []), ...wrong];
}
