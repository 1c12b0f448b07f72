import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestService } from './service.ts';

/** Both generations of the protocol. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

export interface ToolAnswer {
  isError: boolean;
  text: string;
  /** The code of an error. */
  code: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any
  content: any;
}

/** The official client, which validates every result by the schema of its tool. */
export async function connectAgent({ origin }: Pick<TestService, 'origin'>, token: string, era: Era = '2026-07-28') {
  const mode = era === '2026-07-28' ? { pin: era } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }));
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> => {
    const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: given });
    const [first] = content as { text: string }[];
    const text = first?.text ?? '';
    return { isError, text, content: structuredContent, code: isError ? text.slice(0, text.indexOf(':')) : null };
  };
  const list = async () => (await client.listTools()).tools;
  return { client, call, list };
}
