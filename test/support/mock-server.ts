import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMock } from '../../scripts/mock/app.ts';
import type { Contract } from '../../server/contract/contract.ts';
import { bundleFile } from './contract.ts';
import { type ContractClient, contractClient } from './contract-client.ts';

export interface RunningMock {
  readonly contract: Contract;
  readonly origin: string;
  /** Sends credentials with every call. */
  readonly client: ContractClient;
  /** Sends none. */
  readonly stranger: ContractClient;
  stop(): void;
}

let creating: ReturnType<typeof createMock> | undefined;

/** On a port of its own. The application has no state, so it is created once: it validates every example of the contract. */
export async function startMock(): Promise<RunningMock> {
  creating ??= createMock(bundleFile);
  const { app, contract } = await creating;
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    contract,
    origin,
    client: contractClient(contract, origin, { Authorization: 'Bearer any' }),
    stranger: contractClient(contract, origin),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
