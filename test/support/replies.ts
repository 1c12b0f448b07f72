import type { ReceivedResponse } from '../../server/contract/responses.ts';

/** Headers of every JSON response. */
export const everyAnswer = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': '7b1f6a52',
  ratelimit: '"auth";r=87;t=23',
  'ratelimit-policy': '"auth";q=120;w=60',
};
export const catalogEntry = { event: 'payout.paid', description: 'A payout was marked as paid.' };
/** A valid response of GET /webhooks/events. */
export const catalog: ReceivedResponse = {
  status: 200,
  headers: { ...everyAnswer, 'x-svc-total': '1', 'x-svc-totalpages': '1' },
  body: [catalogEntry],
};
export const notFound: ReceivedResponse = {
  status: 404,
  headers: everyAnswer,
  body: { code: 'svc_api_not_found', message: 'Not found.', data: { status: 404 } },
};
