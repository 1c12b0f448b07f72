import { totalPages } from '../../domain/page.ts';

/** The two headers that every collection carries. */
export const totals = (total: number, perPage: number): { 'X-Svc-Total': number; 'X-Svc-TotalPages': number } => ({
  'X-Svc-Total': total,
  'X-Svc-TotalPages': totalPages(total, perPage),
});
