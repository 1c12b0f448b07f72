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

export type ApiCall = <Body>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Body>;

/** Calls the service over HTTP. An error of the service is thrown with its code. */
export function createApiCall({ baseUrl, token, certificate }: ServiceAccess): ApiCall {
  const own = certificate === undefined ? {} : { ca: certificate, checkServerIdentity: () => undefined };
  const request = baseUrl.startsWith('https:') ? requestHttps : requestHttp;
  return async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await new Promise<{ status: number; json: unknown }>((resolve, reject) => {
      const sent = request(`${baseUrl}${path}`, { method, headers, ...own }, (response) => {
        text(response).then((json) => resolve({ status: response.statusCode ?? 0, json: JSON.parse(json) }), reject);
      });
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
    if (answer.status === 200) return answer.json as Body;
    const { code, message } = answer.json as { code: ApiError['code']; message: string };
    throw new ApiError(code, { message: `The shop could not call ${method} ${path.replace(/\?.*/, '')}: ${message}` });
  };
}
