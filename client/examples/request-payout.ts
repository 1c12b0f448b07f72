// An affiliate looks at what was earned and asks for it: API_URL, API_TOKEN (scopes read and write).
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
    // Whatever else goes wrong is not for this page to handle.
    if (!isApiError(error, 'svc_api_no_balance', 'svc_api_below_threshold')) throw error;
    console.log(`not yet: ${error.message}`);
  }
}
