import { checkNames, flag, list, parseOptions, text } from '../shared/options.ts';
import { UsageError } from '../shared/usage.ts';
import type { WorkflowTarget } from './run.ts';

export interface WorkflowOptions {
  /** Null: a service of its own, which is deleted afterwards. */
  target: WorkflowTarget | null;
  /** Empty: all of them. */
  names: readonly string[];
}

export const help = `npm run stories                             all workflows of openapi/workflows, on a temporary service
npm run stories -- key-life feed-followed   only these
npm run stories -- --server https://shop.example/api/v2 --token svc_… --input applicant_to_accept=trailnotes

  --server <url>          a service of your own. The workflows accept, decline and pay there: use a test service
                          without other traffic, since they count events
  --token <key>           a key of an administrator there, with the scopes read, write and manage
  --input <name>=<value>  another input of a workflow; each file lists its inputs. Workflows that lack one are skipped
application-to-paid-affiliate waits a minute for data from the shop: payout details of the new affiliate and an order with their
coupon, by affiliate import. payouts-by-sepa-file waits a minute for affiliate payout file and affiliate payout batch paid --failed, and
again for the second file.`;

export function optionsFrom(args: string[], workflowNames: readonly string[]): WorkflowOptions | 'help' {
  const options = { server: text, token: text, input: list, help: flag };
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  if (values.help) return 'help';
  return { names: checkNames('workflow', positionals, workflowNames), target: targetOf(values) };
}

function targetOf({ server, token, input = [] }: { server?: string; token?: string; input?: string[] }): WorkflowTarget | null {
  if (server === undefined && token === undefined && input.length === 0) return null;
  if (server === undefined) throw new UsageError('--token and --input are for a service of your own: add --server with its URL.');
  if (token === undefined) throw new UsageError('--token is missing: a key of an administrator of that service.');
  return { server: apiUrl(server), inputs: { admin_token: token, ...Object.fromEntries(input.map(parseInput)) } };
}

/** Accepts the URL of the service and that of its API. */
function apiUrl(value: string): string {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new UsageError(`--server is "${value}". It must be a URL as in https://shop.example/api/v2.`);
  const { origin, pathname } = new URL(value);
  return pathname === '/' ? `${origin}/api/v2` : `${origin}${pathname.replace(/\/$/, '')}`;
}

function parseInput(pair: string): [string, string] {
  const [, name, value] = /^(\w+)=(.+)$/.exec(pair) ?? [];
  if (name === undefined || value === undefined) throw new UsageError(`--input is "${pair}". Write it as name=value.`);
  return [name, value];
}
