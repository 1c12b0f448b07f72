import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '../../site/document/openapi.ts';
import type { Settings } from '../../site/settings/settings.ts';

const mostOrigins = 100;

/**
 * Remembers the served document for each state of the settings and each address it was asked under. The settings object is the
 * key: a change makes a new one, and the old documents go with the old one.
 */
export class Documents {
  readonly #make: (settings: Settings, baseUrl: string) => OpenApiDocument;
  readonly #made = new WeakMap<Settings, Map<string, OpenApiDocument>>();

  constructor(make: (settings: Settings, baseUrl: string) => OpenApiDocument) {
    this.#make = make;
  }

  of(settings: Settings, baseUrl: string): OpenApiDocument {
    const byUrl = this.#made.get(settings) ?? new Map<string, OpenApiDocument>();
    this.#made.set(settings, byUrl);
    const known = byUrl.get(baseUrl);
    if (known) return known;
    const document = this.#make(settings, baseUrl);
    // The host is the caller's word, so there is an end to what is kept for it.
    if (byUrl.size >= mostOrigins) byUrl.clear();
    byUrl.set(baseUrl, document);
    return document;
  }
}

export const readBundle = (file: string): OpenApiDocument => JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
