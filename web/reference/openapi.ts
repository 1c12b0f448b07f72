/** As much of OpenAPI 3.1 as the page shows. A site's own module may have amended the document, so nothing is taken for granted. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  title?: string;
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

export interface Field {
  $ref?: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

export interface Parameter extends Field {
  name: string;
  in: string;
}

export interface Answer {
  $ref?: string;
  description?: string;
  headers?: Record<string, Field>;
  content?: Record<string, MediaType>;
  'x-error-codes'?: string[];
}

export interface Body {
  required?: boolean;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Body | { $ref: string };
  responses?: Record<string, Answer>;
  security?: Record<string, string[]>[];
  deprecated?: boolean;
  'x-access'?: string[];
  'x-scope'?: string;
  'x-scope-when'?: { parameter: string; equals: unknown; scope: string }[];
  'x-edition'?: string;
  'x-add-ons'?: string[];
  'x-error-codes'?: Record<string, string[]>;
}

interface SecurityScheme {
  type: string;
  scheme?: string;
  description?: string;
}

export type PathItem = Record<string, Operation>;

export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description?: string; license?: { name: string } };
  servers?: { url: string; description?: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components?: {
    schemas?: Record<string, Schema>;
    headers?: Record<string, Field>;
    securitySchemes?: Record<string, SecurityScheme>;
    [kind: string]: Record<string, unknown> | undefined;
  };
  'x-access-levels'?: Record<string, { description: string }>;
}
