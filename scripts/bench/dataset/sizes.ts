import { createHash } from 'node:crypto';

export type Engine = 'sqlite' | 'postgres';
export type SizeName = '1k' | '100k' | '2m';

export interface Size {
  orders: number;
  coupons: number;
}

/** Coupon 1 holds half of the orders, coupon 2 a twentieth, the others the rest. There are about two and a half events for each order. */
export const sizes: Record<SizeName, Size> = {
  '1k': { orders: 1_000, coupons: 100 },
  '100k': { orders: 100_000, coupons: 1_000 },
  '2m': { orders: 2_000_000, coupons: 10_000 },
};

/** The coupon with half of all orders. */
export const whale = 1;

/** Three years in the past, so that a data set does not depend on the day it is made. */
export const firstMoment = Date.UTC(2023, 0, 1);
export const lastMoment = Date.UTC(2026, 0, 1);
export const oneYear = { from: '2024-01-01', to: '2024-12-31' };

export const adminId = 1;
/** Coupon n belongs to user n + 1. */
export const ownerOf = (couponId: number): number => couponId + 1;

/** Protects nothing but generated data. */
export const masterKey = 'the-master-key-of-a-store-that-is-not';

/** Derived from the user, so that no token has to be stored. */
export const tokenOf = (userId: number): string => `svc_${createHash('sha256').update(`bench ${userId}`).digest('hex').slice(0, 40)}`;

/** How data sets are stored, past everything that the service does to protect its database. */
export interface DatasetStorage {
  /** Stored between runs, outside of git. */
  folder: string;
  urlOf(name: string, isEmptied: boolean): Promise<string>;
  /** Runs statements on empty tables, with indexes created last: over all rows at once they take a tenth of the time. */
  fill(url: string, statements: readonly string[]): Promise<void>;
  execute(url: string, statements: readonly string[]): Promise<void>;
  copy(url: string, name: string): Promise<{ url: string; remove(): Promise<void> }>;
}
