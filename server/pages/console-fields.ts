import { ApiError } from '../../domain/errors.ts';
import { readBody } from '../contract/read-body.ts';
import type { RequestContext } from '../http/request-context.ts';

const bodyTypes = { content: { 'application/json': { schema: {} }, 'application/x-www-form-urlencoded': { schema: {} } } };

/** As many characters as the rules for new passwords allow. */
const maxLength = 1000;

/** The fields that were sent to an address of the console, by JSON or a form. */
export async function readFields(ctx: RequestContext): Promise<Record<string, unknown>> {
  const body = await readBody(ctx, bodyTypes);
  return body instanceof Map ? Object.fromEntries([...body].map(([name, { texts }]) => [name, texts[0]])) : Object(body ?? {});
}

/** @throws ApiError that names the fields that are missing or too long. */
export function requireTexts<Name extends string>(sent: Record<string, unknown>, names: readonly Name[]): Record<Name, string> {
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= maxLength;
  const problems = names.filter((name) => !isText(sent[name])).map((name) => [name, `${name} must be 1 to ${maxLength} characters.`]);
  if (problems.length > 0) throw invalidFields(Object.fromEntries(problems));
  return sent as Record<Name, string>;
}

export const invalidFields = (params: Record<string, string>): ApiError =>
  new ApiError('rest_invalid_param', { message: Object.values(params).join(' '), data: { params } });
