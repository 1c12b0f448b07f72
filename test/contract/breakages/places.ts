// Where the breakages break the contract.

export const coupons = 'paths > /coupons > get';
export const coupon = 'paths > /coupons/{id} > get';
export const couponStats = 'paths > /coupons/{id}/stats > get';
export const clicks = 'paths > /clicks/stats > get';
export const payoutRequest = 'paths > /payouts > post';
export const payoutList = 'paths > /payouts > get';
export const payoutStatusChange = 'paths > /payouts/{id}/status > post';
export const ownPayoutDetails = 'paths > /me/payout-details > put';
export const document = 'paths > /openapi > get';
export const payoutPaid = 'webhooks > payout.paid > post';
export const schemas = 'components > schemas';
export const parameters = 'components > parameters';
export const payoutStatus = `${schemas} > PayoutStatus > x-transitions`;
