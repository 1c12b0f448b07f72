import { h, icon } from './dom.ts';

const storageKey = 'reference-theme';

const isDark = (): boolean =>
  (document.documentElement.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

export function applyStoredTheme(): void {
  try {
    const theme = localStorage.getItem(storageKey);
    if (theme === 'dark' || theme === 'light') document.documentElement.dataset['theme'] = theme;
  } catch {
    // Storage is blocked: the system's theme applies.
  }
}

function setTheme(theme: 'dark' | 'light'): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}

export function themeButton(): HTMLButtonElement {
  const button = h('button.icon-button', { type: 'button', title: 'Light or dark' }, icon('sun'));
  const updateLabel = (): void => button.setAttribute('aria-label', isDark() ? 'Switch to light colours' : 'Switch to dark colours');
  button.addEventListener('click', () => {
    setTheme(isDark() ? 'light' : 'dark');
    updateLabel();
  });
  updateLabel();
  return button;
}
