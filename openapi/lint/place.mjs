const isMap = (node) => typeof node === 'object' && node !== null && !Array.isArray(node);

/** A node of the contract as written (`raw`, `at`) and after following its reference (`value`, `home`), in split files or in a bundle. */
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

  /** The node under a key. OpenAPI 3.1 allows further keys next to a `$ref`, and they take precedence. */
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

  /** Empty if the value is no list, which Redocly's struct rule reports. */
  get list() {
    return Array.isArray(this.value) ? this.value : [];
  }

  /** The nodes of a map or list. Empty nodes and unresolved references are left to Redocly's own rules. */
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

  /** As written, with every reference replaced by its absolute target, so that equal texts in different files are equal. */
  get canonical() {
    if (Array.isArray(this.raw)) return this.raw.map((_, index) => this.get(index).canonical);
    if (!isMap(this.raw)) return this.raw;
    const written = (key) => (key === '$ref' ? this.home.absolutePointer : this.get(key).canonical);
    return Object.fromEntries(Object.keys(this.raw).map((key) => [key, written(key)]));
  }
}
