import { useId, useState } from 'preact/hooks';
import { isApiError } from '../../../client/src/index.ts';
import { Card, Facts, Field, PageHead, Tabs } from '../components.tsx';
import { withConfirmedPassword } from '../confirm-password.tsx';
import { ActionDialog } from '../dialog.tsx';
import { Form } from '../form.tsx';
import { Loaded, useLoad } from '../load.tsx';
import type { Setting } from '../records.ts';
import { getChoice, hrefWith } from '../router.ts';
import { api, deleteFile, getMe, isServed, sendFile, storeLogo } from '../session.ts';
import { describeValue, labelOf, loadSettings, settingGroups } from '../settings.ts';
import { showToast } from '../toast.tsx';

/** What the owner of the program decides, in groups. */
export function Settings() {
  const settings = useLoad(isServed('get_settings') ? loadSettings : null, []);
  const tab = getChoice('tab', settingGroups) ?? 'store';
  return (
    <>
      <PageHead title="Settings" lead={settingGroups[tab]?.lead} />
      {isServed('get_settings') ? (
        <Loaded from={settings}>{(list) => <Groups list={list} tab={tab} onSaved={settings.reload} />}</Loaded>
      ) : (
        <SiteFacts />
      )}
    </>
  );
}

interface GroupsProps {
  list: readonly Setting[];
  tab: string;
  onSaved: () => void;
}

function Groups({ list, tab, onSaved }: GroupsProps) {
  const groups = Object.entries(settingGroups).map(([name, { title, starts }]) => ({
    name,
    title,
    settings: list.filter(({ path }) => path !== logoSetting && starts.some((start) => path.startsWith(start))),
  }));
  const shown = groups.find(({ name }) => name === tab);
  const tabs = groups
    .filter(({ settings }) => settings.length > 0)
    .map(({ name, title }) => ({ text: title, href: hrefWith({ tab: name === 'store' ? null : name }), isCurrent: name === tab }));
  return (
    <div class="stack">
      <Tabs label="Group" items={tabs} />
      {shown && <GroupForm key={tab} title={shown.title} settings={shown.settings} onSaved={onSaved} />}
      {tab === 'brand' && <LogoCard />}
      {tab === 'switches' && <SiteFacts />}
    </div>
  );
}

/** Has a form of its own: it is a file. */
const logoSetting = 'brand.logo';

/** The logo is a file of the console, not of the API. */
function LogoCard() {
  const save = async (form: FormData): Promise<string> => {
    await withConfirmedPassword(() => sendFile('/console/logo', form.get('logo') as File));
    location.reload();
    return 'Saved.';
  };
  const remove = async (): Promise<void> => {
    await deleteFile('/console/logo');
    location.reload();
  };
  if (!isServed('patch_settings')) return null;
  return (
    <Card title="Logo">
      {storeLogo && <img class="logo" src={storeLogo} alt="The logo of the store" />}
      <Form action="Save logo" onSubmit={save}>
        {() => (
          <Field label="File" hint="PNG, at most 200 kB and 2000 × 2000 pixels. It is shown on sign-in, applications and here.">
            {(id) => <input id={id} name="logo" type="file" accept="image/png" required />}
          </Field>
        )}
      </Form>
      {storeLogo && (
        <button type="button" class="plain" onClick={remove}>
          Remove the logo
        </button>
      )}
    </Card>
  );
}

/** The values that differ from what is stored, by path. */
type Changes = ReadonlyMap<string, unknown>;

interface GroupFormProps {
  title: string;
  settings: readonly Setting[];
  onSaved: () => void;
}

function GroupForm({ title, settings, onSaved }: GroupFormProps) {
  const [changes, setChanges] = useState<Changes>(new Map());
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [isReviewed, setReviewed] = useState(false);
  const canChange = isServed('patch_settings');
  const change = (setting: Setting, value: unknown): void => {
    const next = new Map(changes);
    if (JSON.stringify(value) === JSON.stringify(setting.value)) next.delete(setting.path);
    else next.set(setting.path, value);
    setChanges(next);
  };
  const save = async (): Promise<void> => {
    try {
      await withConfirmedPassword(() => api.settings.update(Object.fromEntries(changes)));
    } catch (error) {
      if (!isApiError(error, 'rest_invalid_param') || !('params' in error.data)) throw error;
      setProblems(error.data.params as Record<string, string>);
      return;
    }
    setChanges(new Map());
    setProblems({});
    showToast(changes.size === 1 ? '1 setting is changed.' : `${changes.size} settings are changed.`);
    onSaved();
  };
  return (
    <Card title={title}>
      {!canChange && <p class="notice">Only administrators change settings.</p>}
      <form
        class="form settings"
        onSubmit={(event) => {
          event.preventDefault();
          setReviewed(true);
        }}
      >
        {settings.map((setting) => (
          <SettingField
            key={`${setting.path} ${JSON.stringify(setting.value)}`}
            setting={setting}
            isOpen={canChange && setting.locked === null}
            problem={problems[setting.path]}
            onChange={(value) => change(setting, value)}
          />
        ))}
        {canChange && (
          <p class="actions save-bar">
            <button type="submit" class="primary" disabled={changes.size === 0}>
              Review and save
            </button>
            <span class="small quiet" role="status">
              {changes.size === 0 ? 'Nothing is changed yet.' : changes.size === 1 ? '1 change' : `${changes.size} changes`}
            </span>
          </p>
        )}
      </form>
      {isReviewed && (
        <ActionDialog title="Save these changes?" action="Save" onSubmit={save} onClose={() => setReviewed(false)}>
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
                  <td>{labelOf(path)}</td>
                  <td>{describeValue(settings.find((setting) => setting.path === path)?.value)}</td>
                  <td>
                    <b>{describeValue(value)}</b>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="small quiet">Changes apply at once.</p>
        </ActionDialog>
      )}
    </Card>
  );
}

interface SettingFieldProps {
  setting: Setting;
  isOpen: boolean;
  problem: string | undefined;
  onChange: (value: unknown) => void;
}

function SettingField({ setting, isOpen, problem, onChange }: SettingFieldProps) {
  const id = useId();
  const { path, description, locked, type } = setting;
  const label = <label for={id}>{labelOf(path)}</label>;
  const input = <SettingInput id={id} setting={setting} isOpen={isOpen} isWrong={problem !== undefined} onChange={onChange} />;
  return (
    <div class={`field${type === 'boolean' ? ' switch' : ''}`}>
      {type === 'boolean' ? [input, label] : [label, input]}
      <p id={`${id}-hint`} class="hint">
        {description} {locked && <b>{locked}</b>}
      </p>
      {problem && <p class="hint bad">{problem.replace(/^[\w.]+/, labelOf(path))}</p>}
    </div>
  );
}

interface SettingInputProps extends Omit<SettingFieldProps, 'problem'> {
  id: string;
  isWrong: boolean;
}

function SettingInput({ id, setting: { value, type, choices }, isOpen, isWrong, onChange }: SettingInputProps) {
  const common = { id, disabled: !isOpen, 'aria-describedby': `${id}-hint`, 'aria-invalid': isWrong ? ('true' as const) : undefined };
  if (type === 'boolean')
    return (
      <input
        {...common}
        type="checkbox"
        defaultChecked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (choices)
    return (
      <select {...common} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice} value={choice} selected={choice === value}>
            {choice}
          </option>
        ))}
      </select>
    );
  if (type === 'number' || type === 'integer')
    return (
      <input
        {...common}
        type="number"
        required
        step={type === 'integer' ? 1 : 'any'}
        defaultValue={String(value)}
        onInput={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
      />
    );
  if (type === 'string')
    return <input {...common} type="text" defaultValue={String(value)} onInput={({ currentTarget }) => onChange(currentTarget.value)} />;
  return (
    <textarea {...common} spellcheck={false} onInput={({ currentTarget }) => onChange(parseJson(currentTarget))}>
      {JSON.stringify(value, null, 2)}
    </textarea>
  );
}

/** Lists and objects are written as JSON. What is no JSON is not sent. */
function parseJson(input: HTMLTextAreaElement): unknown {
  try {
    input.setCustomValidity('');
    return JSON.parse(input.value);
  } catch {
    input.setCustomValidity('Write this as JSON, for example ["one", "two"].');
    return input.value;
  }
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
      <Card title="Operations that you may call">
        <ul class="codes">
          {operations.map((operation) => (
            <li key={operation}>
              <a href={`/docs#${operation}`}>
                <code>{operation}</code>
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}
