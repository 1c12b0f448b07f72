import { type CalledOperations, routes } from '../../generated/client.ts';
import { type Call, callOf } from './calls.ts';
import { type ApiOptions, type Connection, connect } from './connection.ts';

/**
 * Every operation of the contract by its resource: `api.coupons.get(17)`. Beside them `baseUrl` and `fetch`, which sends the credentials and waits
 * when asked to: what `createClient<paths>(api)` of openapi-fetch needs for calls by path.
 */
export type Api = Connection & {
  readonly [Resource in keyof CalledOperations]: {
    readonly [Name in keyof CalledOperations[Resource]]: Call<CalledOperations[Resource][Name]>;
  };
};

export function createApi(options: ApiOptions = {}): Api {
  const connection = connect(options);
  const resources = Object.entries(routes).map(([resource, calls]) => [
    resource,
    Object.fromEntries(Object.entries(calls).map(([name, route]) => [name, callOf(connection, resource, route)])),
  ]);
  // The table and the types are generated from the same contract.
  return { ...connection, ...Object.fromEntries(resources) } as Api;
}
