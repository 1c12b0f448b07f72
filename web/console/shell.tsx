import { type ComponentChildren, type FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './components.tsx';
import { ConfirmPasswordDialog } from './confirm-password.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from './icons.ts';
import { address } from './router.ts';
import { continueSession, getMe, isSignedOut, signOut, storeLogo, storeName } from './session.ts';
import { dark, switchTheme } from './theme.ts';
import { Toasts } from './toast.tsx';
import { WaitNotice } from './wait-notice.tsx';

export interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  readonly group: 'own' | 'program';
  /** The page is there if all of these operations are. */
  readonly needs: readonly string[];
  /** The path of the entry of the navigation that it belongs to, where it has none itself. */
  readonly parent?: string;
  /** In the navigation. By default it is. */
  readonly isListed?: () => boolean;
  readonly show: FunctionComponent<{ id: number }>;
  /** The page of one record, at `path/<id>`, if the operation that reads it is there. */
  readonly showOne?: FunctionComponent<{ id: number }>;
  readonly needsForOne?: string;
}

/** The frame of all pages: navigation, notices, the current page. */
export function Shell({
  entries,
  current,
  children,
}: {
  entries: readonly PageEntry[];
  current: PageEntry | undefined;
  children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [address.value]);
  useEffect(() => {
    const close = (event: KeyboardEvent): void => void (event.key === 'Escape' && setOpen(false));
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, []);
  const groups = [...new Set(entries.map(({ group }) => group))];
  const groupTitles = { own: getMe().is_affiliate ? 'My earnings' : 'You', program: 'Program' };
  return (
    <>
      <header class="bar">
        <button
          type="button"
          class="icon-button"
          aria-label="Menu"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
        <span class="bar-title">{current?.title ?? storeName}</span>
        <ThemeButton />
      </header>
      {isOpen && <button type="button" class="shade" aria-label="Close the menu" onClick={() => setOpen(false)} />}
      <nav id="navigation" class={isOpen ? 'navigation open' : 'navigation'} aria-label="Console">
        <p class="brand">
          <a href="/console">
            {storeLogo && <img class="logo" src={storeLogo} alt="" />}
            <bdi>{storeName}</bdi>
          </a>
          <ThemeButton />
        </p>
        {groups.map((group) => (
          <div key={group} class="group">
            {groups.length > 1 && <p class="group-title">{groupTitles[group]}</p>}
            <ul>
              {entries
                .filter((entry) => entry.group === group && (entry.isListed?.() ?? true))
                .map((entry) => (
                  <li key={entry.path}>
                    <a href={entry.path} aria-current={entry === current ? 'page' : entry.path === current?.parent ? 'true' : undefined}>
                      <Icon name={entry.icon} />
                      {entry.title}
                    </a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
        <Person />
      </nav>
      <main id="content" tabIndex={-1}>
        <WaitNotice />
        {children}
      </main>
      <Toasts />
      <ConfirmPasswordDialog />
      {isSignedOut.value && <SignedOutDialog />}
    </>
  );
}

function ThemeButton() {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={dark.value ? 'Switch to light colours' : 'Switch to dark colours'}
      onClick={switchTheme}
    >
      <Icon name="sun" />
    </button>
  );
}

function Person() {
  const { user, timezone } = getMe();
  const [error, setError] = useState<unknown>();
  return (
    <div class="person">
      <p>
        <bdi class="name">{user.display_name}</bdi>
      </p>
      <p class="small quiet">Times are those of the store, {timezone.replaceAll('_', ' ')}.</p>
      <p class="links">
        <a href="/docs">API reference</a>
        <button type="button" class="link" onClick={() => signOut().catch(setError)}>
          Sign out
        </button>
      </p>
      {error !== undefined && (
        <p class="small bad" role="alert">
          You are still signed in. Check your connection, then try again.
        </p>
      )}
    </div>
  );
}

/** What was typed stays below the dialog. The sign-in is in another tab; this one continues when it is done. */
function SignedOutDialog() {
  const { path, query } = address.value;
  const to = path + (query.size > 0 ? `?${query}` : '');
  const [round, setRound] = useState(0);
  // Without a session nothing works: a dialog that was closed opens again.
  const close = async (): Promise<void> => {
    await continueSession();
    setRound(round + 1);
  };
  return (
    <Dialog key={round} title="Your session has ended" onClose={close}>
      <p>Sign in again in another tab. This page then continues where it was, and nothing that you typed is lost.</p>
      <p class="actions">
        <a class="primary" href={`/sign-in?to=${encodeURIComponent(to)}`} target="_blank" rel="noreferrer">
          Sign in
        </a>
        <button type="button" class="plain" onClick={continueSession}>
          I am signed in
        </button>
      </p>
    </Dialog>
  );
}
