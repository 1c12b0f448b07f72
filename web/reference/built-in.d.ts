/** Constants that scripts/build/web.ts puts into the script. */

/** Of each error code of the service: its message, and what to do about it, in Markdown. */
declare const ERROR_CATALOG: Readonly<Record<string, readonly [message: string, advice: string]>>;

/** The headings of the guides; the first of each guide is its title. */
declare const GUIDE_HEADINGS: readonly { readonly href: string; readonly title: string; readonly text: string }[];
