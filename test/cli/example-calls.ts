interface Ref {
  $ref?: string;
}

interface Parameter extends Ref {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { examples?: Record<string, Ref & { value?: unknown }> }> } & Ref;
  responses: Record<string, unknown>;
}

export interface ServedDocument {
  paths: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>;
  components: Record<string, Record<string, unknown>>;
}

export interface ExampleCall {
  method: string;
  path: string;
  body: unknown;
  /** The 2xx statuses of the operation. */
  documented: string[];
}

/**
 * The calls that the reference page offers: required parameters and the first body of the examples. For GET also the call with all optional
 * parameters. In the order of the page: a deletion stands below the calls that name the same record.
 */
export function exampleCalls(document: ServedDocument): ExampleCall[] {
  const resolve = <Part extends Ref>(part: Part): Part => {
    if (part.$ref === undefined) return part;
    const [section = '', name = ''] = part.$ref.split('/').slice(-2);
    return document.components[section]?.[name] as Part;
  };
  // The page has a button for a dry run, and no call of its own.
  const own = Object.entries(document.paths).filter(([path]) => !path.startsWith('/dry-run/'));
  return own.flatMap(([path, { parameters: shared = [], ...operations }]) =>
    Object.entries(operations as Record<string, Operation>).flatMap(([method, operation]) => {
      const parameters = [...shared, ...(operation.parameters ?? [])].map(resolve);
      const urlWith = (isSent: (parameter: Parameter) => boolean): string => {
        const query = parameters.filter((parameter) => parameter.in === 'query' && isSent(parameter));
        const filled = path.replace(/\{(.+?)\}/g, (_, name: string) => String(parameters.find((each) => each.name === name)?.example));
        const pairs = query.map(({ name, example }): [string, string] => [name, String(example)]);
        return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
      };
      const content = operation.requestBody && resolve(operation.requestBody).content['application/json'];
      const [example] = Object.values(content?.examples ?? {});
      const body = example && resolve(example).value;
      const documented = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
      const urls = new Set([urlWith(({ required }) => required === true), ...(method === 'get' ? [urlWith(() => true)] : [])]);
      return [...urls].map((url) => ({ method: method.toUpperCase(), path: url, body, documented }));
    }),
  );
}
