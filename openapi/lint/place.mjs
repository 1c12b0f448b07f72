const isMap = (node) => typeof node === 'object' && node !== null && !Array.isArray(node);

/**
 * A place in the contract: what is written there (`raw`, `at`) and what that stands for once a reference is followed (`value`, `home`).
 * The same for the split sources and for a bundle.
 */
export class Place {
  constructor(raw, at, resolve) {
    this.raw = raw;
    this.at = at;
    this.resolve = resolve;
    this.isReference = typeof raw?.$ref === 'string';
    const target = this.isReference ? resolve(raw, at.source.absoluteRef) : { node: raw, location: at };
    this.value = target.node;
    this.home = target.location ?? at;
  }

  get exists() {
    return this.value !== undefined;
  }

  /** Where a reference leads to; a place without one is its own target. */
  get target() {
    return this.isReference ? new Place(this.value, this.home, this.resolve) : this;
  }

  /** What stands under a key. Next to a `$ref`, 3.1 allows further keys, and they win. */
  get(key) {
    const isSibling = this.isReference && Object.hasOwn(this.raw, key);
    const [node, location] = isSibling ? [this.raw, this.at] : [this.value, this.home];
    return new Place(node?.[key], location.child([key]), this.resolve);
  }

  has(key) {
    return this.get(key).exists;
  }

  get keys() {
    return isMap(this.value) ? Object.keys(this.value) : [];
  }

  /** What is a list, or else none: that it is not is told by Redocly's own struct. */
  get list() {
    return Array.isArray(this.value) ? this.value : [];
  }

  /** The places below, of a map and of a list alike. An empty one, or a reference that leads nowhere, is left to Redocly's own rules. */
  get children() {
    return [...this.list.keys(), ...this.keys].map((key) => this.get(key)).filter(({ value }) => value !== undefined && value !== null);
  }

  get entries() {
    return this.keys.map((key) => [key, this.get(key)]).filter(([, { exists }]) => exists);
  }

  /** `{ section: 'schemas', name: 'Coupon' }` for components/schemas/Coupon.yaml and for #/components/schemas/Coupon. */
  get component() {
    const address = this.home.pointer === '#/' ? this.home.source.absoluteRef : this.home.pointer;
    const [, section, name] = /\/components\/(\w+)\/([^/]+?)(?:\.ya?ml|\.json)?$/.exec(address) ?? [];
    return { section, name };
  }

  /** What is written here, every reference in it replaced by the address it leads to. Equal texts in different files compare equal. */
  get canonical() {
    if (Array.isArray(this.raw)) return this.raw.map((_, index) => this.get(index).canonical);
    if (!isMap(this.raw)) return this.raw;
    const written = (key) => (key === '$ref' ? this.home.absolutePointer : this.get(key).canonical);
    return Object.fromEntries(Object.keys(this.raw).map((key) => [key, written(key)]));
  }
}
