import { type DenseIndex, noOwner, type Sums } from './dense-index.ts';
import type { ReportStore } from './store.ts';

const unknown = -2;

/** The owners of coupons, by dense index. A coupon that changes hands changes the version. */
export class CouponOwners {
  readonly #coupons: DenseIndex;
  readonly #users: DenseIndex;
  #version = '';
  #owners = new Int32Array();

  constructor(coupons: DenseIndex, users: DenseIndex) {
    this.#coupons = coupons;
    this.#users = users;
  }

  /** Returns the owners of all coupons with earnings, as of this version. */
  async of({ isThere }: Sums, version: string, reports: ReportStore): Promise<Int32Array> {
    const owners = this.#ofVersion(version, isThere.length);
    const missing: number[] = [];
    for (let place = 0; place < isThere.length; place += 1) if (isThere[place] === 1 && owners[place] === unknown) missing.push(place);
    if (missing.length === 0) return owners;
    const idOf = (place: number): number => this.#coupons.ids[place] as number;
    const found = await reports.ownersOf(missing.map(idOf));
    for (const place of missing) {
      const userId = found.get(idOf(place));
      owners[place] = userId === undefined ? noOwner : this.#users.of(userId);
    }
    return owners;
  }

  #ofVersion(version: string, length: number): Int32Array {
    if (this.#version !== version || this.#owners.length < length) {
      const longer = new Int32Array(length).fill(unknown);
      if (this.#version === version) longer.set(this.#owners);
      [this.#version, this.#owners] = [version, longer];
    }
    return this.#owners;
  }
}
