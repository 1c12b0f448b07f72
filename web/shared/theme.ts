const storageKey = 'reference-theme';

export const isDark = (): boolean =>
  (document.documentElement.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

export function applyStoredTheme(): void {
  try {
    const theme = localStorage.getItem(storageKey);
    if (theme === 'dark' || theme === 'light') document.documentElement.dataset['theme'] = theme;
  } catch {
    // Storage is blocked: the system's theme applies.
  }
}

export function setTheme(theme: 'dark' | 'light'): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}
