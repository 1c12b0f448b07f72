import { formatJson } from './code-block.ts';
import { type Contract, type Endpoint, jsonOf } from './contract.ts';

/** A request to the API, for the samples and for the form that sends it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: [string, string][];
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
  /** Answers with events as long as the connection is open. */
  readonly isStream: boolean;
}

/** The shortest call that works: the required parameters, with the examples of the contract. */
export function exampleCall(contract: Contract, endpoint: Endpoint): Call {
  const example = contract.examplesOf(jsonOf(endpoint.body))[0];
  const valueOf = ({ required, example }: Endpoint['parameters'][number]): string => (required ? parameterText(example) : '');
  return createCall(endpoint, valueOf, example && formatJson(example.value));
}

/** The call with those parameters whose value is not empty. */
export function createCall(endpoint: Endpoint, valueOf: (parameter: Endpoint['parameters'][number]) => string, body?: string): Call {
  const { method, path, parameters } = endpoint;
  const valuesIn = (location: string): [string, string][] =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map((parameter): [string, string] => [parameter.name, valueOf(parameter)])
      .filter(([, value]) => value !== '');
  const pathParameters = Object.fromEntries(valuesIn('path'));
  return { method, path, pathParameters, query: valuesIn('query'), headers: valuesIn('header'), body, isStream: isStream(endpoint) };
}

export const isStream = ({ responses }: Endpoint): boolean => responses.some(([, { content = {} }]) => 'text/event-stream' in content);

/** The value of a parameter as it is written in a URL. */
export const parameterText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value ?? ''));

export function urlOf({ path, pathParameters, query }: Call): string {
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(pathParameters[name] ?? ''));
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}
