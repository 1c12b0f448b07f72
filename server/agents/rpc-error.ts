/** JSON-RPC: the message is no valid request. */
export const toRpcError = (message: string) => ({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null });
