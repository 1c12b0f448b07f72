import type { Sales } from '../../domain/reports/store.ts';
import { toSafeInteger } from './columns.ts';

export const salesColumns = ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'] as const;

export const summed = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');
export const summedSales = summed(salesColumns);

export const toSales = (row: Record<string, unknown>): Sales => ({
  ordersCount: toSafeInteger(row['orders_count'] ?? 0),
  sales: toSafeInteger(row['sales_minor'] ?? 0),
  discount: toSafeInteger(row['discount_minor'] ?? 0),
  commission: toSafeInteger(row['commission_minor'] ?? 0),
});
