import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { PageHead } from './components.tsx';
import { loadInvoices } from './invoices.ts';
import { ErrorBox, Skeleton } from './load.tsx';
import { listEntries } from './pages.ts';
import { address, navigate } from './router.ts';
import { getMe, isServed, loadMe } from './session.ts';
import { type PageEntry, Shell } from './shell.tsx';
import { WaitNotice } from './wait-notice.tsx';

/** `/console/coupons/17` is the page of one record of `/console/coupons`. */
function findPage(entries: readonly PageEntry[], path: string): { entry: PageEntry; id: number | null } | null {
  const [, folder = '', id = ''] = /^(.*)\/(\d+)$/.exec(path) ?? [];
  const one = entries.find(({ path, showOne, needsForOne }) => showOne && path === folder && (!needsForOne || isServed(needsForOne)));
  if (one) return { entry: one, id: Number(id) };
  const entry = entries.find((entry) => entry.path === path);
  return entry ? { entry, id: null } : null;
}

function App() {
  const { path } = address.value;
  const entries = listEntries();
  const [first] = entries;
  const isStart = path.replace(/\/$/, '') === '/console' && first !== undefined && first.path !== '/console';
  useEffect(() => {
    if (isStart) navigate(first.path + location.search, { isReplaced: true });
  }, [isStart]);
  if (isStart) return null;
  const found = findPage(entries, path);
  const Shown = found && (found.id === null ? found.entry.show : found.entry.showOne);
  return (
    <Shell entries={entries} current={found?.entry}>
      {Shown ? <Shown key={path} id={found.id ?? 0} /> : <NoPage />}
    </Shell>
  );
}

const NoPage = () => (
  <>
    <PageHead title="There is no such page" />
    <p>
      The address may be wrong, or this site does not offer the page. <a href="/console">Go to the start.</a>
    </p>
  </>
);

const Opening = () => (
  <>
    <WaitNotice />
    <Skeleton lines={8} />
  </>
);

const { color, onColor } = document.body.dataset;
if (color) document.documentElement.style.setProperty('--brand', color);
if (onColor) document.documentElement.style.setProperty('--on-brand', onColor);

const root = document.getElementById('console');
if (root) {
  root.replaceChildren();
  render(<Opening />, root);
  try {
    await loadMe();
    render(<App />, root);
    document.documentElement.dataset['ready'] = 'true';
    // After the data of the page: only the navigation needs it.
    if (getMe().is_affiliate && isServed('post_payouts')) setTimeout(() => loadInvoices().catch(() => {}), 500);
  } catch (error) {
    render(<ErrorBox error={error} onRetry={() => location.reload()} />, root);
  }
}
