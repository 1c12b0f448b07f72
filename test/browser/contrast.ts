import type { Page } from 'playwright-core';

interface TextContrast {
  readonly text: string;
  readonly ratio: number;
}

/** Runs in the browser: the WCAG contrast ratio of each visible text to its background. */
const measure = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const weakest = new Map();
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()).join('');
    if (own === '' || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { color } = getComputedStyle(element);
    const [text, background] = [luminance(rgba(color)), luminance(backgroundOf(element))];
    const ratio = (Math.max(text, background) + 0.05) / (Math.min(text, background) + 0.05);
    const name = element.tagName.toLowerCase() + '.' + element.className;
    if (!weakest.has(name) || weakest.get(name).ratio > ratio) weakest.set(name, { text: name + ' "' + own.slice(0, 30) + '"', ratio });
  }
  return [...weakest.values()];
})()`;

/** The lowest contrast of each kind of text (element and class) on the page. */
export const measureContrasts = (page: Page): Promise<TextContrast[]> => page.evaluate(measure);

/** 0 for black to 1 for white. */
export const brightnessOf = async (page: Page, selector: string, property: 'color' | 'background-color'): Promise<number> => {
  const colour = await page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`);
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return (r + g + b) / 3 / 255;
};
