import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isApiError } from '../../../client/src/index.ts';
import { Card, Facts, Field, PageHead, SearchField, Select } from '../components.tsx';
import { withConfirmedPassword } from '../confirm-password.tsx';
import { ActionDialog } from '../dialog.tsx';
import { Form } from '../form.tsx';
import { ErrorBox, Loaded, useLoad } from '../load.tsx';
import type { Setting } from '../records.ts';
import { askBeforeLeaving, getChoice, getQuery, hrefWith, setQuery, setSearch } from '../router.ts';
import { api, deleteFile, getMe, isServed, sendFile, storeLogo, storeName } from '../session.ts';
import { SettingCell, SettingField } from '../setting-field.tsx';
import {
  describeSetting,
  describeValue,
  findProblem,
  loadSettings,
  type PlacedSetting,
  placeSettings,
  settingGroups,
} from '../settings.ts';
import { showToast } from '../toast.tsx';
import { MailPreview } from './applications.tsx';

/** What the owner of the program decides, in groups. */
export function Settings() {
  const settings = useLoad(isServed('get_settings') ? loadSettings : null, []);
  return (
    <>
      <PageHead title="Settings" lead="What you decide about the program. Changes apply when you save." />
      {isServed('get_settings') ? (
        <Loaded from={settings}>{(list) => <Editor list={list} onSaved={settings.reload} />}</Loaded>
      ) : (
        <SiteFacts />
      )}
    </>
  );
}

/** The values that differ from what is stored, by path. */
type Changes = ReadonlyMap<string, unknown>;
type Problems = Readonly<Record<string, string>>;

/** Holds what the reader changed in all groups until it is saved. */
function Editor({ list, onSaved }: { list: readonly Setting[]; onSaved: () => void }) {
  const [changes, setChanges] = useState<Changes>(new Map());
  const [refused, setRefused] = useState<Problems>({});
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [round, setRound] = useState(0);
  const [isReviewed, setReviewed] = useState(false);
  useWarningBeforeLeaving(changes.size > 0);
  const tab = getChoice('tab', settingGroups) ?? 'store';
  const search = getQuery('search').toLowerCase();
  const placed = placeSettings(list);
  const byPath = new Map(list.map((setting) => [setting.path, setting]));
  const problems = Object.fromEntries(
    [...changes].flatMap(([path, value]) => {
      const setting = byPath.get(path);
      const problem = refused[path] ?? (setting && findProblem(setting, value));
      return problem ? [[path, problem]] : [];
    }),
  );
  const change = (setting: Setting, value: unknown): void => {
    const next = new Map(changes);
    if (JSON.stringify(value) === JSON.stringify(setting.value)) next.delete(setting.path);
    else next.set(setting.path, value);
    setChanges(next);
    setRefused(Object.fromEntries(Object.entries(refused).filter(([path]) => path !== setting.path)));
  };
  const reset = (): void => {
    setChanges(new Map());
    setRefused({});
    setLeft(new Set());
    setRound(round + 1);
  };
  const review = (): void => {
    const [first] = Object.keys(problems);
    if (first === undefined) return setReviewed(true);
    setLeft(new Set(changes.keys()));
    setQuery({ tab: placed.find(({ setting }) => setting.path === first)?.group ?? null, search: null });
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  const save = async (): Promise<void> => {
    try {
      await withConfirmedPassword(() => api.settings.update(Object.fromEntries(changes)));
    } catch (error) {
      if (!isApiError(error, 'rest_invalid_param') || !('params' in error.data)) throw error;
      const params = Object.entries(error.data.params as Problems);
      setRefused(Object.fromEntries(params.map(([path, text]) => [path, text.replace(path, labelOf(byPath.get(path), path))])));
      setLeft(new Set(changes.keys()));
      return;
    }
    reset();
    showToast(changes.size === 1 ? '1 setting is changed.' : `${changes.size} settings are changed.`);
    onSaved();
  };
  const shown = placed.filter(({ group, setting }) => (search ? isFound(setting, search) : group === tab));
  const propsOf = (setting: Setting) => ({
    setting,
    value: changes.has(setting.path) ? changes.get(setting.path) : setting.value,
    isOpen: isServed('patch_settings'),
    problem: left.has(setting.path) ? problems[setting.path] : undefined,
    onChange: (value: unknown) => change(setting, value),
    onLeave: () => changes.has(setting.path) && setLeft(new Set([...left, setting.path])),
  });
  const field = (setting: Setting) => (
    <SettingField key={`${setting.path} ${round}`} isTechnical={tab === 'switches' || search !== ''} {...propsOf(setting)} />
  );
  const cell = (setting: Setting) => <SettingCell key={`${setting.path} ${round}`} {...propsOf(setting)} />;
  const isTable = tab === 'methods' && !search;
  return (
    <div class="settings-page">
      <GroupNav placed={placed} changes={changes} tab={search ? '' : tab} />
      <div class="stack">
        {!isServed('patch_settings') && <p class="notice">Only administrators change settings. You can read them.</p>}
        {search ? (
          <h2>{shown.length === 1 ? '1 setting' : `${shown.length} settings`} found</h2>
        ) : (
          <div>
            <h2>{settingGroups[tab]?.title}</h2>
            <p class="quiet">{settingGroups[tab]?.lead}</p>
          </div>
        )}
        {!search && tab === 'switches' && <SiteFacts />}
        {isTable ? (
          <MethodTable shown={shown} cell={cell} />
        ) : (
          listSections(shown).map(([title, settings]) => (
            <Card key={title} title={title}>
              <div class="settings">{settings.map(({ setting }) => field(setting))}</div>
            </Card>
          ))
        )}
        {!search && tab === 'brand' && <Brand color={String(changes.get('brand.color') ?? byPath.get('brand.color')?.value ?? '')} />}
        {!search && tab === 'joining' && isServed('get_registrations', 'post_registrations_id_preview') && <DecisionMails />}
        {changes.size > 0 && <SaveBar changes={changes} problems={Object.keys(problems).length} onReview={review} onDiscard={reset} />}
      </div>
      {isReviewed && <ReviewDialog changes={changes} byPath={byPath} onSave={save} onClose={() => setReviewed(false)} />}
    </div>
  );
}

const labelOf = (setting: Setting | undefined, path: string): string => (setting ? describeSetting(setting).label : path);

/** Changes that are not saved are lost with the page. */
function useWarningBeforeLeaving(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    askBeforeLeaving('Your changes of the settings are not saved. Leave and lose them?');
    return () => {
      removeEventListener('beforeunload', warn);
      askBeforeLeaving(null);
    };
  }, [isChanged]);
}

function isFound(setting: Setting, search: string): boolean {
  const { label, hint } = describeSetting(setting);
  return `${label} ${hint} ${setting.path}`.toLowerCase().includes(search);
}

function listSections(placed: readonly PlacedSetting[]): [string, PlacedSetting[]][] {
  const sections = new Map<string, PlacedSetting[]>();
  for (const one of placed) sections.set(one.section, [...(sections.get(one.section) ?? []), one]);
  return [...sections];
}

/** One row for each payout method. */
const MethodTable = ({ shown, cell }: { shown: readonly PlacedSetting[]; cell: (setting: Setting) => ComponentChildren }) => (
  <Card>
    <table aria-label="Payout methods">
      <thead>
        <tr>
          {['Method', 'Offered', 'Name', 'Invoice needed'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {listSections(shown).map(([method, settings]) => (
          <tr key={method}>
            <th scope="row">{method}</th>
            {settings.map(({ setting }) => (
              <td key={setting.path}>{cell(setting)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Card>
);

interface GroupNavProps {
  placed: readonly PlacedSetting[];
  changes: Changes;
  tab: string;
}

/** The groups, with a dot where something is changed and not saved. */
function GroupNav({ placed, changes, tab }: GroupNavProps) {
  const groups = Object.entries(settingGroups).filter(([name]) => placed.some(({ group }) => group === name));
  const nav = useRef<HTMLElement>(null);
  // On a phone the groups are one line, which may be wider than the screen.
  useEffect(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }), [tab]);
  const isChanged = (name: string): boolean => placed.some(({ group, setting }) => group === name && changes.has(setting.path));
  return (
    <div class="settings-side">
      <SearchField label="Find a setting" value={getQuery('search')} onChange={setSearch} />
      <nav ref={nav} class="settings-nav" aria-label="Group">
        {groups.map(([name, { title }]) => (
          <a
            key={name}
            href={hrefWith({ tab: name === 'store' ? null : name, search: null })}
            aria-current={name === tab ? 'true' : undefined}
          >
            {title}
            {isChanged(name) && (
              <span class="dot">
                <span class="off-screen">changed</span>
              </span>
            )}
          </a>
        ))}
      </nav>
    </div>
  );
}

interface SaveBarProps {
  changes: Changes;
  /** How many values are wrong. */
  problems: number;
  onReview: () => void;
  onDiscard: () => void;
}

const SaveBar = ({ changes, problems, onReview, onDiscard }: SaveBarProps) => (
  <div class="save-bar">
    <p role="status">
      <b>{changes.size === 1 ? '1 change' : `${changes.size} changes`}</b>{' '}
      {problems === 0 ? (
        <span class="quiet">not saved yet</span>
      ) : (
        <span class="bad">{problems === 1 ? '1 value must be corrected' : `${problems} values must be corrected`}</span>
      )}
    </p>
    <div class="actions">
      <button type="button" class="plain" onClick={onDiscard}>
        Discard
      </button>
      <button type="button" class="primary" onClick={onReview}>
        Review and save
      </button>
    </div>
  </div>
);

interface ReviewDialogProps {
  changes: Changes;
  byPath: ReadonlyMap<string, Setting>;
  onSave: () => Promise<void>;
  onClose: () => void;
}

const ReviewDialog = ({ changes, byPath, onSave, onClose }: ReviewDialogProps) => (
  <ActionDialog title="Save these changes?" action="Save" onSubmit={onSave} onClose={onClose}>
    <table aria-label="Changes">
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {[...changes].map(([path, value]) => (
          <tr key={path}>
            <td>{labelOf(byPath.get(path), path)}</td>
            <td class="quiet">{describeValue(byPath.get(path)?.value)}</td>
            <td>
              <b>{describeValue(value)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <p class="small quiet">Changes apply at once. The feed records which settings were changed.</p>
  </ActionDialog>
);

/** How pages look with the colour that is entered, and the logo: a file of the console, not of the API. */
function Brand({ color }: { color: string }) {
  const save = async (form: FormData): Promise<string> => {
    await withConfirmedPassword(() => sendFile('/console/logo', form.get('logo') as File));
    location.reload();
    return 'Saved.';
  };
  const [error, setError] = useState<unknown>();
  const remove = async (): Promise<void> => {
    await withConfirmedPassword(() => deleteFile('/console/logo'));
    location.reload();
  };
  return (
    <div class="columns">
      {isServed('patch_settings') && (
        <Card title="Logo">
          {storeLogo ? <img class="logo" src={storeLogo} alt="The logo of the store" /> : <p class="quiet">There is no logo yet.</p>}
          <Form action="Save logo" onSubmit={save}>
            {() => (
              <Field label="File" hint="PNG, at most 200 kB and 2000 × 2000 pixels.">
                {(id) => <input id={id} name="logo" type="file" accept="image/png" required />}
              </Field>
            )}
          </Form>
          {storeLogo && (
            <button type="button" class="plain" onClick={() => remove().catch(setError)}>
              Remove the logo
            </button>
          )}
          {error !== undefined && <ErrorBox error={error} />}
        </Card>
      )}
      <Card title="How it looks">
        <div class="brand-preview" aria-label="Preview of the sign-in page" role="img">
          {storeLogo && <img class="logo" src={storeLogo} alt="" />}
          <b>{storeName}</b>
          <span class="quiet">Sign in to your affiliate account</span>
          <span class="preview-field" />
          <span class="primary" style={/^#[0-9a-f]{6}$/i.test(color) ? { background: color, color: textOn(color) } : {}}>
            Sign in
          </span>
        </div>
        <p class="small quiet">E-mails have the name of the store as their sender, and no pictures.</p>
      </Card>
    </div>
  );
}

/** White or black, whichever is easier to read on the colour. */
function textOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000000' : '#ffffff';
}

type Decision = 'accepted' | 'declined';

/** The mail about a decision as it looks, for the newest application that waits. */
function DecisionMails() {
  const [decision, setDecision] = useState<Decision>('accepted');
  const waiting = useLoad(() => api.registrations.list({ status: 'pending', per_page: 1 }), []);
  return (
    <Card title="E-mails to applicants">
      <Loaded from={waiting}>
        {({ items: [registration] }) =>
          registration ? (
            <div class="stack">
              <Select
                label="Show the e-mail"
                value={decision}
                options={[
                  ['accepted', 'if you accept'],
                  ['declined', 'if you decline'],
                ]}
                onChange={(value) => setDecision(value as Decision)}
              />
              <MailPreview key={decision} id={registration.id} decision={decision} message="" />
            </div>
          ) : (
            <p class="quiet">When an application waits for you, you see the e-mails to this person here.</p>
          )
        }
      </Loaded>
    </Card>
  );
}

/** For developers: what this site serves to the reader. */
function SiteFacts() {
  const { edition, api_version, currency, timezone, operations } = getMe();
  return (
    <>
      <Card title="This site">
        <Facts
          of={[
            ['Edition', edition === 'pro' ? 'Pro' : 'Free: without payouts and webhooks'],
            ['Currency', currency],
            ['Time zone', timezone.replaceAll('_', ' ')],
            ['Version of the API', api_version],
            ['Address of the API', <code>{api.baseUrl}</code>],
          ]}
        />
        {!isServed('get_settings') && (
          <p>
            Settings are changed with the command <code>npx affiliate settings</code>, where the service runs. To change them here, switch
            on <code>addons.management</code>.
          </p>
        )}
      </Card>
      <Card>
        <details>
          <summary>{operations.length} operations that you may call</summary>
          <ul class="codes">
            {operations.map((operation) => (
              <li key={operation}>
                <a href={`/docs#${operation}`}>
                  <code>{operation}</code>
                </a>
              </li>
            ))}
          </ul>
        </details>
      </Card>
    </>
  );
}
