import { icon, make } from './make.ts';

const place = 'reference-theme';

/** Where the browser keeps nothing (a private window, a strict setting), the choice lasts as long as the page. */
function kept(): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

function keep(theme: string): void {
  try {
    localStorage.setItem(place, theme);
  } catch {
    // It is only a colour.
  }
}

const isDark = (): boolean =>
  (document.documentElement.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

export function applyKeptTheme(): void {
  const theme = kept();
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset['theme'] = theme;
}

export function themeButton(): HTMLButtonElement {
  const button = make('button', { type: 'button', class: 'icon-button', title: 'Light or dark' }, icon('sun'));
  const tell = (): void => button.setAttribute('aria-label', isDark() ? 'Switch to light colours' : 'Switch to dark colours');
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = theme;
    keep(theme);
    tell();
  });
  tell();
  return button;
}
