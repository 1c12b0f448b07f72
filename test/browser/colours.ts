import type { Page } from 'playwright-core';

interface Pair {
  readonly text: string;
  readonly ratio: number;
}

/** Runs in the browser: how far each visible text stands out from what is painted behind it, as WCAG counts it. */
const measure = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const seen = new Map();
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()).join('');
    if (own === '' || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { color } = getComputedStyle(element);
    const [ink, ground] = [light(rgba(color)), light(groundOf(element))];
    const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    const name = element.tagName.toLowerCase() + '.' + element.className;
    if (!seen.has(name) || seen.get(name).ratio > ratio) seen.set(name, { text: name + ' "' + own.slice(0, 30) + '"', ratio });
  }
  return [...seen.values()];
})()`;

/** Every kind of text on the page, at its weakest. */
export const contrasts = (page: Page): Promise<Pair[]> => page.evaluate(measure);

/** 0 is black and 1 is white. */
export const brightnessOf = (page: Page, selector: string, property: 'color' | 'background-color'): Promise<number> =>
  page.locator(selector).evaluate((element, name) => {
    const view = (
      element as unknown as {
        ownerDocument: { defaultView: { getComputedStyle(of: unknown): { getPropertyValue(name: string): string } } };
      }
    ).ownerDocument.defaultView;
    const [r = 0, g = 0, b = 0] = (
      view
        .getComputedStyle(element)
        .getPropertyValue(name)
        .match(/[\d.]+/g) ?? []
    ).map(Number);
    return (r + g + b) / 3 / 255;
  }, property);
