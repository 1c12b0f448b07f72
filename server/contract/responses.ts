import type { ErrorObject } from 'ajv';
import { type OpenAPIValidator, ValidationContext } from 'openapi-backend';
import { compileReader } from './coerce.ts';
import { type ContractOperation, type ContractResponse, type Header, jsonMediaType, streamMediaType } from './document.ts';

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  /** Parsed JSON; undefined when there was no body. */
  readonly body: unknown;
  /** A response to HEAD has the headers of GET and no body. */
  readonly toHead?: boolean;
}

export type ResponseCheck = (operationId: string, reply: ReceivedResponse) => string[];

interface LowerCaseHeaders {
  readonly [name: string]: string | undefined;
}

/** Strict: it checks every response in every test, and nothing checks them after it. */
export function createResponseCheck(operations: readonly ContractOperation[], validator: OpenAPIValidator): ResponseCheck {
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  return (operationId, reply) => {
    const operation = byId.get(operationId);
    if (!operation) return [`The contract has no operation ${operationId}.`];
    const response = operation.responses[reply.status];
    if (!response)
      return [`${operationId} does not declare the status ${reply.status}, only ${Object.keys(operation.responses).join(', ')}.`];
    const headers = lowerCase(reply.headers);
    const errors = [
      ...headerErrors(response, headers, validator),
      ...(reply.toHead ? [] : bodyErrors(response, reply, headers, validator)),
      ...(reply.toHead || reply.status < 400 ? [] : errorBodyErrors(reply, declaredCodes(operation, reply.status))),
    ];
    return errors.map((error) => `${operationId} ${reply.status}: ${error}`);
  };
}

/** The error codes of an operation with a status: those of the shared response, then its own. */
export function declaredCodes(operation: ContractOperation, status: number): string[] {
  return [...(operation.responses[status]?.['x-error-codes'] ?? []), ...(operation['x-error-codes']?.[status] ?? [])];
}

function lowerCase(headers: ReceivedResponse['headers']): LowerCaseHeaders {
  const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function headerErrors(response: ContractResponse, headers: LowerCaseHeaders, validator: OpenAPIValidator): string[] {
  const declared = Object.entries(response.headers ?? {});
  const names = new Set(declared.map(([name]) => name.toLowerCase()));
  // Other headers belong to HTTP and to proxies.
  const undeclared = Object.keys(headers).filter((name) => name.startsWith('x-svc-') && !names.has(name));
  return [
    ...undeclared.map((name) => `the header ${name} is not declared.`),
    ...declared.flatMap(([name, header]) => singleHeaderErrors(name, header, headers[name.toLowerCase()], validator)),
  ];
}

function singleHeaderErrors(name: string, header: Header, text: string | undefined, validator: OpenAPIValidator): string[] {
  if (text === undefined) return header.required ? [`the required header ${name} is missing.`] : [];
  if (!header.schema) return [];
  const validate = validator.getAjv(ValidationContext.ResponseHeaders).compile(header.schema);
  if (validate(compileReader(header.schema)({ texts: [text], asList: false }))) return [];
  return [`the header ${name} is ${JSON.stringify(text)}, but it ${explain(validate.errors)}.`];
}

function bodyErrors(response: ContractResponse, reply: ReceivedResponse, headers: LowerCaseHeaders, validator: OpenAPIValidator): string[] {
  if (!response.content) return reply.body === undefined ? [] : ['there is a body where none is declared.'];
  if (reply.body === undefined) return ['there is no body.'];
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const declared = Object.keys(response.content);
  if (!mediaType || !declared.includes(mediaType))
    return [`the media type is ${mediaType ?? 'missing'} instead of ${declared.join(' or ')}.`];
  if (mediaType === streamMediaType) return typeof reply.body === 'string' ? [] : ['the body is no text.'];
  const schema = response.content[jsonMediaType]?.schema;
  if (!schema) return ['no schema is declared for the body.'];
  // Not the validators of the library, which compiles every response of an operation, and shared ones once for each operation.
  const validate = validator.getAjv(ValidationContext.Response).compile(schema);
  return validate(reply.body) ? [] : (validate.errors ?? []).map((error) => `the body ${explain([error])}.`);
}

function errorBodyErrors({ status, body }: ReceivedResponse, codes: readonly string[]): string[] {
  const { code, data } = (body ?? {}) as { code?: unknown; data?: { status?: unknown } };
  return [
    ...(codes.includes(String(code)) ? [] : [`the code ${String(code)} is not declared, only ${codes.join(', ') || 'none'}.`]),
    ...(data?.status === status ? [] : [`data.status is ${String(data?.status)}.`]),
  ];
}

function explain(errors: readonly ErrorObject[] | null | undefined): string {
  return (errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''} ${JSON.stringify(error.params)}`.trim()).join('; ');
}
