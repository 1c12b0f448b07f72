import { readFileSync } from 'node:fs';

/** Fails unless the page contains the text, and returns the text: a journey walks what a page promises, in the words of that page. */
export function promised(page: string, text: string): string {
  if (readFileSync(page, 'utf8').includes(text)) return text;
  throw new Error(`${page} does not contain "${text}". Change the page and its journey together.`);
}
