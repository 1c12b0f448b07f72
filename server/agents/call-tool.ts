import { hash } from 'node:crypto';
import { databaseErrorKind } from '../../db/engine/database-error.ts';
import type { Clock } from '../../domain/clock.ts';
import { type ConfirmedRequest, createConfirmation, releaseConfirmation, useConfirmation } from '../../domain/confirmation.ts';
import { ApiError } from '../../domain/errors.ts';
import type { SecureRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { OperationId } from '../../generated/operations.ts';
import type { HandlerResponse } from '../../handlers/contract-types.ts';
import type { Api } from '../contract/api.ts';
import type { RequestContext } from '../http/request-context.ts';
import { createToolRequest, type Tool, type ToolArguments } from './tool-request.ts';

export interface ToolParts {
  api: Api;
  storage: UnitOfWork<Repositories>;
  clock: Clock;
  random: SecureRandom;
}

export interface ToolResult {
  content: Record<string, unknown>;
  /** One sentence. */
  text: string;
}

/** One call of a tool, by the caller of `ctx`. */
export interface ToolCall {
  ctx: RequestContext;
  name: string;
  tool: Tool;
  given: ToolArguments;
}

interface Outcome {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: unknown;
}

/** @throws ApiError as the operation does. */
export function callTool(call: ToolCall, parts: ToolParts): Promise<ToolResult> {
  if (!call.tool.isWrite) return read(call, parts);
  const { confirm } = call.given;
  return confirm === undefined || confirm === null ? preview(call, parts) : write(call, String(confirm), parts);
}

async function read(call: ToolCall, parts: ToolParts): Promise<ToolResult> {
  const { body, headers } = await run(call, false, parts);
  if (!Array.isArray(body)) return { content: body as Record<string, unknown>, text: `${call.tool.title}: done.` };
  const page = Number(call.given.page || 1);
  const [total, pages] = [Number(headers['X-Svc-Total']), Number(headers['X-Svc-TotalPages'])];
  // After a cursor of the feed, pages are ignored.
  const { after } = call.given;
  const isAfter = after !== undefined && after !== null && after !== '';
  const next = page < pages && !isAfter ? page + 1 : null;
  const argument = isAfter ? `after ${String(headers['X-Svc-Last-Event'])}` : `page ${next}`;
  const isLast = isAfter ? total <= body.length : next === null;
  const rest = isLast ? 'There are no more.' : `Call again with ${argument} for more.`;
  return { content: { items: body, total, page, next_page: next }, text: `${body.length} of ${total}. ${rest}` };
}

async function preview(call: ToolCall, parts: ToolParts): Promise<ToolResult> {
  const outcome = await run(call, true, parts);
  const { clock, random, storage } = parts;
  const request = toConfirmed(call, outcome);
  const confirm = await storage.write((transaction) => createConfirmation(transaction, request, { now: clock.now(), random }));
  const text = `Nothing is changed yet.${describeExisting(outcome)} Show the preview to the user. If the user agrees, call again within 10 minutes with the same arguments and confirm: ${confirm}`;
  return { content: { preview: outcome.body, confirm }, text };
}

/** Tries once more what was shown: the program may have changed since. The token is used before the write, so that it can never write twice. */
async function write(call: ToolCall, token: string, parts: ToolParts): Promise<ToolResult> {
  const { clock, storage } = parts;
  const shown = await run(call, true, parts);
  const request = toConfirmed(call, shown);
  await storage.write((transaction) => useConfirmation(transaction, token, request, clock.now()));
  try {
    const outcome = await run(call, false, parts, shown.body);
    return { content: { result: outcome.body }, text: `${call.tool.title}: done.${describeExisting(outcome)}` };
  } catch (error) {
    if (isWithoutChange(error)) await storage.write((transaction) => releaseConfirmation(transaction, token));
    throw error;
  }
}

/** Of these it is certain that nothing was written. */
const isWithoutChange = (error: unknown): boolean =>
  error instanceof ApiError ? error.status < 500 || error.code === 'svc_api_overloaded' : databaseErrorKind(error) === 'busy';

const describeExisting = ({ headers }: Outcome): string =>
  headers['X-Svc-Existing'] === undefined ? '' : ' It exists already: this is the open one, and there is no other.';

/** With a state of its own: what the operation records about its request is not about the one that carries the call. */
async function run({ ctx, tool, given }: ToolCall, isDryRun: boolean, { api }: ToolParts, confirmed?: unknown): Promise<Outcome> {
  const own: RequestContext = Object.create(ctx, { state: { value: { ...ctx.state, confirmed } } });
  const response: HandlerResponse<OperationId> = await api.call(own, createToolRequest(tool, given, isDryRun));
  const { status, headers = {}, body } = response as unknown as Partial<Outcome> & Pick<Outcome, 'status' | 'body'>;
  return { status, headers, body };
}

function toConfirmed({ ctx: { state }, name, given }: ToolCall, { status, body }: Outcome): ConfirmedRequest {
  if (state.identity.kind !== 'caller') throw new ApiError('svc_api_unauthorized');
  const { user, keyId } = state.identity.caller;
  const { confirm: _confirm, ...input } = given;
  const request = hash('sha256', JSON.stringify([name, sortKeys(input), status, withoutMoments(body)]));
  return { userId: user.id, keyId: keyId ?? 0, request };
}

const sortKeys = (input: ToolArguments): unknown => Object.entries(input).toSorted(([one], [other]) => (one < other ? -1 : 1));

/** Ids that are assigned anew, and times, differ from one dry run to the next. */
const withoutMoments = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null, (name, value) => (/^(id|date|.+_id|date_.+)$/.test(name) ? undefined : value)));
