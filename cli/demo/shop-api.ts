import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { ApiError } from '../../domain/errors.ts';

export interface ServiceAccess {
  /** With the path of the API. */
  baseUrl: string;
  token: string;
  /** The service's own certificate, which need not be one that others trust. */
  certificate: string | undefined;
}

export type ApiCall = <Body>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<Body>;

interface Answer {
  status: number;
  json: unknown;
}

type SendRequest = (method: string, url: string, headers: Record<string, string>, body?: string) => Promise<Answer>;

function createSender({ baseUrl, certificate }: ServiceAccess): SendRequest {
  const own = certificate === undefined ? {} : { ca: certificate, checkServerIdentity: () => undefined };
  const request = baseUrl.startsWith('https:') ? requestHttps : requestHttp;
  return (method, url, headers, body) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method, headers: { 'Content-Type': 'application/json', ...headers }, ...own }, (response) => {
        text(response).then((json) => resolve({ status: response.statusCode ?? 0, json: JSON.parse(json) }), reject);
      });
      sent.on('error', reject).end(body);
    });
}

/** Calls the service over HTTP. An error of the service is thrown with its code. */
export function createApiCall(access: ServiceAccess): ApiCall {
  const send = createSender(access);
  return async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const headers = { Authorization: `Bearer ${access.token}` };
    const { status, json } = await send(method, `${access.baseUrl}${path}`, headers, body === undefined ? undefined : JSON.stringify(body));
    if (status === 200 || status === 201) return json as Body;
    const { code, message } = json as { code: ApiError['code']; message: string };
    throw new ApiError(code, { message: `The shop could not call ${method} ${path.replace(/\?.*/, '')}: ${message}` });
  };
}

/** Sends a webhook to a connection of the service, with these headers. Returns its outcome. */
export type DeliverWebhook = (connectionId: string, headers: Record<string, string>, body: string) => Promise<string>;

export function createDelivery(access: ServiceAccess): DeliverWebhook {
  const send = createSender(access);
  return async (connectionId, headers, body) => {
    const { status, json } = await send('POST', new URL(`/connect/${connectionId}`, access.baseUrl).href, headers, body);
    const { outcome, message } = json as { outcome?: string; message?: string };
    return outcome ?? `${status}: ${message}`;
  };
}
