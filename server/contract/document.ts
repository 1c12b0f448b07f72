import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AddOn } from '../../generated/operations.ts';
import type { OpenApiDocument } from '../../site/document/openapi.ts';
import type { MarkedProperty } from '../../site/served.ts';

const bundleName = 'generated/openapi.json';

/** The folder of the files that the program reads: dist/ where it is built, else the checkout. */
export const programFolder = findAbove(path.dirname(fileURLToPath(import.meta.url)));

export const bundleFile = path.join(programFolder, bundleName);

function findAbove(folder: string): string {
  if (existsSync(path.join(folder, bundleName))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error(`The contract ${bundleName} is missing. Run "npm run generate".`);
  return findAbove(parent);
}

/** Reads the bundled contract. */
export function readBundle(file = bundleFile): OpenApiDocument {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
  } catch (error) {
    throw new Error(`The contract ${file} cannot be read. Run "npm run generate".`, { cause: error });
  }
}

/** The part of an OpenAPI document that the service reads, after openapi-backend has resolved its references. */

export interface JsonSchema extends MarkedProperty {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: unknown;
  readonly maxProperties?: number;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly 'x-add-ons'?: readonly AddOn[];
  /** Of a record that is validated by itself. */
  readonly 'x-import-kind'?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly explode?: boolean;
  /** Ignored unless the caller is an admin. */
  readonly 'x-admin-only'?: boolean;
  readonly 'x-add-ons'?: readonly AddOn[];
  readonly schema: JsonSchema;
}

interface Example {
  readonly summary?: string;
  readonly value?: unknown;
}

export interface MediaType {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Header {
  readonly required?: boolean;
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface ContractResponse {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly 'x-error-codes'?: readonly string[];
}

export interface ContractOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, ContractResponse>>;
  readonly 'x-access'?: readonly string[];
  readonly 'x-error-codes'?: Readonly<Record<string, readonly string[]>>;
}

export const jsonMediaType = 'application/json';
export const streamMediaType = 'text/event-stream';
export const formMediaType = 'application/x-www-form-urlencoded';

export function bodySchema(operation: ContractOperation): JsonSchema | undefined {
  return operation.requestBody?.content[jsonMediaType]?.schema;
}

/** All properties of a schema, including those of its allOf, anyOf and oneOf. */
export function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return Object.assign({}, ...parts.map(propertiesOf), schema.properties);
}
