import { parseArgs } from 'node:util';
import { UsageError, withUsageError } from '../shared/usage.ts';
import type { Scene } from './run.ts';

export interface Options {
  /** Null: on a service of our own, which is gone afterwards. */
  scene: Scene | null;
  /** Empty: all of them. */
  names: readonly string[];
}

export const help = `npm run stories                             all stories of openapi/workflows, on a service that is made for them and gone afterwards
npm run stories -- key-life feed-followed   only these
npm run stories -- --server https://shop.example/api/v2 --token svc_… --input applicant_to_accept=trailnotes

  --server <url>          a service of your own. The stories accept, decline and pay there: take one that is for trying out,
                          and quiet, since they count what happens
  --token <key>           a key of an administrator there, with the scopes read, write and manage
  --input <name>=<value>  what else a story needs; each says so in its inputs. Stories that lack something are left out
application-to-paid-affiliate waits a minute for what comes in from the shop: payout details of the new affiliate and an order with their
coupon, by affiliate import.`;

function read(args: string[]) {
  const one = { type: 'string' } as const;
  const options = { server: one, token: one, input: { ...one, multiple: true } as const, help: { type: 'boolean' } as const };
  return withUsageError(() => parseArgs({ args, options, allowPositionals: true }));
}

export function optionsFrom(args: string[], known: readonly string[]): Options | 'help' {
  const { values, positionals: names } = read(args);
  if (values.help) return 'help';
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no story ${unknown}. There are ${known.join(', ')}.`);
  return { names, scene: sceneOf(values) };
}

function sceneOf({ server, token, input = [] }: ReturnType<typeof read>['values']): Scene | null {
  if (server === undefined && token === undefined && input.length === 0) return null;
  if (server === undefined) throw new UsageError('--token and --input are for a service of your own: say with --server where it is.');
  if (token === undefined) throw new UsageError('--token is missing: a key of an administrator of that service.');
  return { server: apiAt(server), inputs: { admin_token: token, ...Object.fromEntries(input.map(pair)) } };
}

/** People name the service as often as its API. */
function apiAt(given: string): string {
  if (!/^https?:\/\//.test(given) || !URL.canParse(given))
    throw new UsageError(`--server is "${given}". It must be an address as in https://shop.example/api/v2.`);
  const { origin, pathname } = new URL(given);
  return pathname === '/' ? `${origin}/api/v2` : `${origin}${pathname.replace(/\/$/, '')}`;
}

function pair(given: string): [string, string] {
  const [, name, value] = /^(\w+)=(.+)$/.exec(given) ?? [];
  if (name === undefined || value === undefined) throw new UsageError(`--input is "${given}". Write it as name=value.`);
  return [name, value];
}
