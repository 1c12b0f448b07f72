import type { Sales } from '../../domain/reports/store.ts';
import { wholeNumber } from './columns.ts';

export const salesColumns = ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'] as const;

export const summed = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');
export const summedSales = summed(salesColumns);

export const toSales = (row: Record<string, unknown>): Sales => ({
  ordersCount: wholeNumber(row['orders_count'] ?? 0),
  sales: wholeNumber(row['sales_minor'] ?? 0),
  discount: wholeNumber(row['discount_minor'] ?? 0),
  commission: wholeNumber(row['commission_minor'] ?? 0),
});
