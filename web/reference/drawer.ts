import { icon, make } from './make.ts';

const isNarrow = (): boolean => matchMedia('(max-width: 62rem)').matches;

/** On a narrow screen the navigation is a drawer: out of sight and out of the way of the keyboard until it is called. */
export function drawer(navigation: HTMLElement): HTMLElement[] {
  const button = make('button', {
    type: 'button',
    class: 'icon-button',
    'aria-expanded': 'false',
    'aria-controls': navigation.id,
    'aria-label': 'Menu',
  });
  const shade = make('div', { class: 'shade', hidden: true });
  const set = (isOpen: boolean): void => {
    document.body.classList.toggle('with-drawer', isOpen);
    shade.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
    button.setAttribute('aria-label', isOpen ? 'Close the menu' : 'Menu');
    button.replaceChildren(icon(isOpen ? 'close' : 'menu'));
  };
  const isOpen = (): boolean => !shade.hidden;
  button.addEventListener('click', () => set(!isOpen()));
  shade.addEventListener('click', () => set(false));
  document.addEventListener('navigation:open', () => isNarrow() && set(true));
  navigation.addEventListener('click', (event) => {
    if (isOpen() && (event.target as Element).closest('a')) set(false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isOpen()) return;
    set(false);
    button.focus();
  });
  set(false);
  return [button, shade];
}
