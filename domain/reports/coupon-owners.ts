import { nobody, type Places, type Sums } from './dense-index.ts';
import type { ReportStore } from './store.ts';

const unknown = -2;

/** Whose coupons are, by place. A coupon that changes hands changes the version; one that is new has never been anybody else's. */
export class CouponOwners {
  readonly #coupons: Places;
  readonly #users: Places;
  #version = '';
  #owners = new Int32Array();

  constructor(coupons: Places, users: Places) {
    this.#coupons = coupons;
    this.#users = users;
  }

  /** Of all that are there, as this version has them. */
  async of({ isThere }: Sums, version: string, reports: ReportStore): Promise<Int32Array> {
    const owners = this.#ofVersion(version, isThere.length);
    const missing: number[] = [];
    for (let place = 0; place < isThere.length; place += 1) if (isThere[place] === 1 && owners[place] === unknown) missing.push(place);
    if (missing.length === 0) return owners;
    const idOf = (place: number): number => this.#coupons.ids[place] as number;
    const found = await reports.ownersOf(missing.map(idOf));
    for (const place of missing) {
      const userId = found.get(idOf(place));
      owners[place] = userId === undefined ? nobody : this.#users.of(userId);
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
