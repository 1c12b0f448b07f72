/** The part of OpenAPI 3.1 that the page shows. Almost everything is optional, since a site module can amend the document. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  'x-absent'?: string;
  'x-secret'?: boolean;
  'x-edition'?: string;
}

export interface Example {
  $ref?: string;
  summary?: string;
  value?: unknown;
}

export interface MediaType {
  schema?: Schema;
  examples?: Record<string, Example>;
}

export interface Header {
  $ref?: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

export interface Parameter extends Header {
  name: string;
  in: string;
}

export interface ResponseObject {
  $ref?: string;
  description?: string;
  headers?: Record<string, Header>;
  content?: Record<string, MediaType>;
  'x-error-codes'?: string[];
}

export interface RequestBody {
  $ref?: string;
  required?: boolean;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses?: Record<string, ResponseObject>;
  security?: Record<string, string[]>[];
  deprecated?: boolean;
  'x-access'?: string[];
  'x-scope'?: string;
  'x-scope-when'?: { parameter: string; equals: unknown; scope: string }[];
  'x-confirm-password'?: true | 'code';
  'x-edition'?: string;
  'x-error-codes'?: Record<string, string[]>;
}

export const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;
export type Method = (typeof methods)[number];

interface SecurityScheme {
  type: string;
  scheme?: string;
  description?: string;
}

export type PathItem = { parameters?: Parameter[] } & Partial<Record<Method, Operation>>;

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: { url: string; description?: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components?: {
    schemas?: Record<string, Schema>;
    headers?: Record<string, Header>;
    securitySchemes?: Record<string, SecurityScheme>;
  };
  'x-access-levels'?: Record<string, { description: string }>;
}
