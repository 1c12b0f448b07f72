/** Marks the entry of what is being read, and keeps it in sight. */
export function followReading(main: HTMLElement, navigation: HTMLElement): void {
  const links = new Map([...navigation.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
  const targets = [...main.querySelectorAll<HTMLElement>('[id]')].filter(({ id }) => links.has(id));
  let current: HTMLAnchorElement | undefined;
  const mark = (): void => {
    // The last heading that has come to the top of the window, where a link leads to.
    const passed = targets.filter((target) => target.getBoundingClientRect().top < 110);
    const link = links.get((passed.at(-1) ?? targets[0])?.id ?? '');
    if (!link || link === current) return;
    current?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    current = link;
    keepInSight(navigation, link);
  };
  let isWaiting = false;
  const soon = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      mark();
    });
  };
  window.addEventListener('scroll', soon, { passive: true });
  mark();
}

function keepInSight(navigation: HTMLElement, link: HTMLElement): void {
  const [outer, inner] = [navigation.getBoundingClientRect(), link.getBoundingClientRect()];
  if (inner.top < outer.top + 140) navigation.scrollTop -= outer.top + 140 - inner.top;
  if (inner.bottom > outer.bottom - 40) navigation.scrollTop += inner.bottom - outer.bottom + 40;
}

/** The page is made after it has loaded, so the browser has not found what the address points at. */
export function goToPlace(): void {
  const id = decodeURIComponent(window.location.hash.slice(1));
  const target = id === '' ? null : document.getElementById(id);
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
}
