import Koa, { type Context } from 'koa';
import { ApiError } from '../../domain/errors.ts';
import { accept } from '../../server/contract/accept.ts';
import { type Contract, loadContract } from '../../server/contract/contract.ts';
import type { Operation } from '../../server/contract/document.ts';
import { noRoute } from '../../server/http/error-response.ts';
import { type Answer, answersOf } from './answers.ts';
import { refuseInvalidExamples } from './check-examples.ts';
import { chooseAnswer } from './choose-answer.ts';
import { permissiveCors } from './cors.ts';
import { indexOf } from './index-page.ts';
import { readPrefer, writePreferences } from './prefer.ts';
import { answerErrors, reply } from './reply.ts';
import { showList } from './show-list.ts';

export interface Mock {
  readonly contract: Contract;
  readonly app: Koa;
}

/** A server that answers every operation with the contract's examples and refuses what the contract refuses. */
export async function createMock(bundleFile: string): Promise<Mock> {
  const contract = await loadContract(bundleFile);
  const answers = new Map(contract.operations.map((operation) => [operation, answersOf(operation)]));
  refuseInvalidExamples(contract, answers);

  const app = new Koa();
  app.use(permissiveCors(contract));
  app.use(answerErrors(contract));
  app.use(async (ctx) => {
    if (ctx.path === '/' && ['GET', 'HEAD'].includes(ctx.method)) ctx.body = indexOf(contract, answers);
    else await serve(ctx, contract, answers);
  });
  return { contract, app };
}

async function serve(ctx: Context, contract: Contract, answers: ReadonlyMap<Operation, readonly Answer[]>): Promise<void> {
  const match = contract.match(ctx.method, ctx.path);
  if (!match.found) throw noRoute(ctx, match.allow);
  ctx.state['operation'] = match.operation;
  requireCredentials(ctx, match.operation);
  const { query } = await accept(ctx, contract, match.operation, match.params);
  const preferences = readPrefer(ctx.get('Prefer'));
  const choice = chooseAnswer(answers.get(match.operation) ?? [], preferences);
  if (!choice.ok) throw wrongPreference(ctx, choice.sentence);
  if (Object.keys(preferences).length > 0) ctx.set('Preference-Applied', writePreferences(preferences));
  reply(ctx, contract, match.operation, choice.answer.status, showList(choice.answer.body, query));
}

/** Between the mock and whoever calls it, so this 400 is no answer of the operation, which may declare none. It only looks like one. */
function wrongPreference(ctx: Context, sentence: string): ApiError {
  delete ctx.state['operation'];
  return new ApiError('rest_invalid_param', { data: { params: { Prefer: sentence } } });
}

/** The mock knows no users: any credentials will do, but there must be some. */
function requireCredentials(ctx: Context, operation: Operation): void {
  if (operation['x-access']?.includes('public')) return;
  if (ctx.get('Authorization') === '' && ctx.get('X-Svc-API-Key') === '') throw new ApiError('svc_api_unauthorized');
}
