// Requests a payout of an affiliate's commission. Needs API_URL and API_TOKEN of the affiliate (scopes read and write).
import { createApi, isApiError } from 'affiliate-program-client';

const { API_URL = '', API_TOKEN = '' } = process.env;
const api = createApi({ baseUrl: API_URL, token: API_TOKEN });

const { user, coupons, currency } = await api.me.get();
for (const { id, code, unpaid_commission } of coupons) {
  console.log(`${user.display_name} has earned ${unpaid_commission} ${currency} with ${code}`);
  try {
    const payout = await api.payouts.create({ coupon_id: id });
    console.log(`payout ${payout.id} of ${payout.amount} is ${payout.status}`);
  } catch (error) {
    if (!isApiError(error, 'svc_api_no_balance', 'svc_api_below_threshold')) throw error;
    console.log(`not yet: ${error.message}`);
  }
}
