import { signal } from '@preact/signals';
import { applyStoredTheme, isDark, setTheme } from '../shared/theme.ts';

applyStoredTheme();

/** Whether the page has dark colours now. Charts are drawn again when it changes. */
export const dark = signal(isDark());

export function switchTheme(): void {
  setTheme(dark.value ? 'light' : 'dark');
  dark.value = isDark();
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  dark.value = isDark();
});
