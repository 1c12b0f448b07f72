// Lists the orders of every coupon, page by page. Needs API_URL and API_TOKEN of an admin (scope read).
import { createApi, pages } from 'affiliate-program-client';

const { API_URL = '', API_TOKEN = '' } = process.env;
const api = createApi({ baseUrl: API_URL, token: API_TOKEN });

const { total } = await api.coupons.list({ per_page: 1 });
console.log(`${total} coupons`);
for await (const coupon of pages(api.coupons.list, { orderby: 'id', order: 'asc' }).items())
  for await (const { items, totalPages } of pages(api.coupons.orders, coupon.id, { status: 'completed', per_page: 2 })) {
    const commission = items.reduce((sum, order) => sum + order.commission, 0);
    console.log(`${coupon.code}: ${items.length} orders on one of ${totalPages} pages, commission ${commission.toFixed(2)}`);
  }
