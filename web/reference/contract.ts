import type { NamedExample } from './code-block.ts';
import {
  type Example,
  type MediaType,
  methods,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type RequestBody,
  type ResponseObject,
} from './openapi.ts';

export const dryRunRoot = '/dry-run';

/** An operation or a webhook of the contract, with its references resolved. */
export interface Endpoint {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly responses: readonly (readonly [status: string, response: ResponseObject])[];
}

export class Contract {
  readonly document: OpenApiDocument;
  readonly endpoints: readonly Endpoint[];
  readonly events: readonly Endpoint[];

  constructor(document: OpenApiDocument) {
    this.document = document;
    this.endpoints = this.#listEndpoints(document.paths).filter(({ path }) => !path.startsWith(dryRunRoot));
    this.events = this.#listEndpoints(document.webhooks ?? {});
  }

  /** Whether the operation can be tried without saving. Dry runs are not endpoints of their own here. */
  hasDryRun({ path, method }: Endpoint): boolean {
    return (methods as readonly string[]).includes(method) && this.document.paths[`${dryRunRoot}${path}`]?.[method as 'get'] !== undefined;
  }

  /** The address of the API for clients outside of this page. Without `service.url`, the document names a path alone. */
  get baseUrl(): string {
    return new URL(this.document.servers?.[0]?.url ?? '/api/v2', window.location.href).href.replace(/\/$/, '');
  }

  /** The path of the API on the origin of this page, which may differ from the origin in `baseUrl` behind a proxy. */
  get basePath(): string {
    return new URL(this.baseUrl).pathname;
  }

  /** Tags with their endpoints in the order of the document. Tags that the document does not list are last. */
  tags(): { name: string; description: string; endpoints: Endpoint[] }[] {
    const listed = this.document.tags ?? [];
    const others = [...new Set(this.endpoints.map(({ tag }) => tag))].filter((tag) => !listed.some(({ name }) => name === tag));
    return [...listed, ...others.map((name) => ({ name, description: '' }))]
      .map(({ name, description = '' }) => ({ name, description, endpoints: this.endpoints.filter(({ tag }) => tag === name) }))
      .filter(({ endpoints }) => endpoints.length > 0);
  }

  /** Follows references. As in OpenAPI 3.1, fields beside a `$ref` override those of its target. */
  resolve<Node extends { $ref?: string }>(node: Node, depth = 0): Node {
    if (node.$ref === undefined || depth > 20) return node;
    const { $ref, ...siblings } = node;
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[decodeURIComponent(key)], this.document);
    return { ...this.resolve((target ?? {}) as Node, depth + 1), ...siblings } as Node;
  }

  examplesOf(media: MediaType | undefined): NamedExample[] {
    return Object.entries(media?.examples ?? {}).map(([key, example]: [string, Example]) => {
      const { summary, value } = this.resolve(example);
      return { name: summary ?? key, value };
    });
  }

  /** The error codes of a response: those of every operation with this response, and those of this operation alone. */
  errorCodes({ operation }: Endpoint, status: string, response: ResponseObject): Set<string> {
    return new Set([...(response['x-error-codes'] ?? []), ...(operation['x-error-codes']?.[status] ?? [])]);
  }

  #listEndpoints(paths: Record<string, PathItem>): Endpoint[] {
    return Object.entries(paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method];
        return operation ? [this.#endpoint(method, path, operation, item.parameters)] : [];
      }),
    );
  }

  #endpoint(method: string, path: string, operation: Operation, shared: Parameter[] = []): Endpoint {
    return {
      id: operation.operationId ?? `${method}${path.replace(/\W+/g, '_')}`,
      method,
      path,
      tag: operation.tags?.[0] ?? 'other',
      operation,
      parameters: [...shared, ...(operation.parameters ?? [])].map((parameter) => this.resolve(parameter)),
      body: operation.requestBody && this.resolve(operation.requestBody),
      responses: Object.entries(operation.responses ?? {}).map(([status, response]) => [status, this.resolve(response)] as const),
    };
  }
}

export const jsonOf = ({ content }: ResponseObject | RequestBody = {}): MediaType | undefined => content?.['application/json'];
