import type { OperationId } from '../../generated/operations.ts';
import type { HandlerContext } from '../../handlers/context.ts';
import type { Handler } from '../../handlers/contract-types.ts';
import { handlers } from '../../handlers/index.ts';
import { bodySchema, type ContractOperation, type JsonSchema, jsonMediaType, propertiesOf } from '../../server/contract/document.ts';

type AnyHandler = Handler<OperationId, HandlerContext>;

const places = ['path', 'query', 'headers', 'body'] as const;

/** Calls `onRead` with the name of every property that is read. */
export const recording = <Value>(value: Value, onRead: (name: string) => void): Value =>
  typeof value !== 'object' || value === null
    ? value
    : (new Proxy(value, {
        get(target, name, receiver) {
          onRead(String(name));
          return Reflect.get(target, name, receiver);
        },
      }) as Value);

/** Records what the handlers read of their requests, and their successful responses. */
export class RecordedHandlers {
  readonly #table = handlers as unknown as Record<string, AnyHandler>;
  readonly #original = { ...this.#table };
  readonly #reads = new Set<string>();
  readonly #bodies = new Map<string, unknown[]>();

  start(): void {
    for (const [operationId, handler] of Object.entries(this.#original)) this.#table[operationId] = this.#record(operationId, handler);
  }

  stop(): void {
    Object.assign(this.#table, this.#original);
  }

  #record(operationId: string, handler: AnyHandler): AnyHandler {
    return async (request, context) => {
      const onRead = (place: string) => (name: string) => this.#reads.add(`${operationId} ${place} ${name}`);
      const recorded = Object.fromEntries(places.map((place) => [place, recording<unknown>(request[place], onRead(place))]));
      const response = await handler(recorded as unknown as typeof request, context);
      const key = `${operationId} ${response.status}`;
      this.#bodies.set(key, [...(this.#bodies.get(key) ?? []), response.body ?? response.stream]);
      return response;
    };
  }

  /** A sentence for each parameter and body field that the handler has not read. */
  listUnread(operation: ContractOperation): string[] {
    const { operationId, method, path, parameters } = operation;
    const schema = bodySchema(operation) ?? {};
    // Records of a list are read by the domain, which has a check of its own.
    const fields = schema.items ? [] : Object.keys(propertiesOf(schema));
    const declared = [
      ...parameters.map(({ name, in: place }) => ({ name, place: place === 'header' ? 'headers' : place, what: `${place} parameter` })),
      ...fields.map((name) => ({ name, place: 'body', what: 'body field' })),
    ];
    return declared
      .filter(({ name, place }) => !this.#reads.has(`${operationId} ${place} ${name}`))
      .map(
        ({ name, what }) =>
          `${method.toUpperCase()} ${path}: no handler reads the ${what} "${name}". Read it in ${operationId} in handlers/, or remove it from the contract.`,
      );
  }

  /** `GET /me 200: coupons[].code` for each field of a successful response that always was absent, null, empty, 0 or false. */
  listUnfilled({ operationId, method, path, responses }: ContractOperation): string[] {
    return Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, { content }]) => {
        const bodies = this.#bodies.get(`${operationId} ${status}`) ?? [];
        const fields = unfilledFields(content?.[jsonMediaType]?.schema ?? {}, bodies);
        return fields.map((field) => `${method.toUpperCase()} ${path} ${status}: ${field}`);
      });
  }
}

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

/** `values` are all values that were seen where the schema applies. A container that is never filled is listed without its fields. */
function unfilledFields(schema: JsonSchema, values: readonly unknown[], name = ''): string[] {
  const filled = values.filter(isFilled);
  if (filled.length === 0) return [name || 'the body'];
  const items = [schema, ...(schema.oneOf ?? [])].find((one) => one.items)?.items;
  const properties = Object.entries(propertiesOf(schema)).flatMap(([field, inner]) => {
    const inside = filled.map((value) => (value as Record<string, unknown>)[field]);
    return unfilledFields(inner, inside, name === '' ? field : `${name}.${field}`);
  });
  return [...properties, ...(items ? unfilledFields(items, filled.flat(), `${name}[]`) : [])];
}
