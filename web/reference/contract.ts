import type { Answer, Body, Example, OpenApi, Operation, Parameter, PathItem, Schema } from './openapi.ts';

/** One operation of the API, with where it is found. */
export interface Endpoint {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  readonly answers: readonly (readonly [status: string, answer: Answer])[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** The served document, read for the page. */
export class Contract {
  readonly document: OpenApi;
  readonly endpoints: readonly Endpoint[];
  readonly events: readonly Endpoint[];

  constructor(document: OpenApi) {
    this.document = document;
    this.endpoints = this.#endpointsIn(document.paths);
    this.events = this.#endpointsIn(document.webhooks ?? {});
  }

  /** The API's address as clients outside of this page write it. */
  get baseUrl(): string {
    return (this.document.servers?.[0]?.url ?? '/api/v2').replace(/\/$/, '');
  }

  /** Where this page finds it: on its own origin, whatever name a proxy gave the service. */
  get basePath(): string {
    return new URL(this.baseUrl, window.location.href).pathname.replace(/\/$/, '');
  }

  /** In the document's order; what has no tag, or one that is not listed, comes last. */
  tags(): { name: string; description: string; endpoints: Endpoint[] }[] {
    const listed = this.document.tags ?? [];
    const others = [...new Set(this.endpoints.map(({ tag }) => tag))].filter((tag) => !listed.some(({ name }) => name === tag));
    return [...listed, ...others.map((name) => ({ name, description: '' }))]
      .map(({ name, description = '' }) => ({ name, description, endpoints: this.endpoints.filter(({ tag }) => tag === name) }))
      .filter(({ endpoints }) => endpoints.length > 0);
  }

  /** Follows references. What stands beside one wins over what it leads to, as OpenAPI 3.1 has it. */
  resolve<Node extends { $ref?: string }>(node: Node, depth = 0): Node {
    if (node.$ref === undefined || depth > 20) return node;
    const { $ref, ...beside } = node;
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[decodeURIComponent(key)], this.document);
    return { ...this.resolve((target ?? {}) as Node, depth + 1), ...beside } as Node;
  }

  examplesOf(examples: Record<string, Example> | undefined): { name: string; value: unknown }[] {
    return Object.entries(examples ?? {}).map(([key, example]) => {
      const { summary, value } = this.resolve(example);
      return { name: summary ?? key, value };
    });
  }

  #endpointsIn(paths: Record<string, PathItem>): Endpoint[] {
    return Object.entries(paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method];
        return operation ? [this.#endpoint(method, path, operation, item)] : [];
      }),
    );
  }

  #endpoint(method: string, path: string, operation: Operation, item: PathItem): Endpoint {
    const shared = (item['parameters'] ?? []) as unknown as Parameter[];
    return {
      id: operation.operationId ?? `${method}${path.replace(/\W+/g, '_')}`,
      method,
      path,
      tag: operation.tags?.[0] ?? 'other',
      operation,
      parameters: [...shared, ...(operation.parameters ?? [])].map((parameter) => this.resolve(parameter as Parameter)),
      body: operation.requestBody && this.resolve(operation.requestBody as Body & { $ref?: string }),
      answers: Object.entries(operation.responses ?? {}).map(([status, answer]) => [status, this.resolve(answer)] as const),
    };
  }
}

export const schemaName = ({ $ref }: Schema): string | undefined => /^#\/components\/schemas\/(.+)$/.exec($ref ?? '')?.[1];
